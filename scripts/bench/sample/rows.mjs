import { iso, modelName, passProbability, startTime, taskName } from './names.mjs';
import { Tally } from './tally.mjs';

const TOOLS = ['view', 'edit', 'bash'];
const BODIES = 4096; // of each model and outcome: drawing from them is much faster than making each anew

/** What `trajstats metrics` writes: a folded trajectory a line. */
export class Rows {
  static recordSize = 1320;
  static events = () => 0;

  constructor(context) {
    Object.assign(this, context);
    this.bodies = new Map();
  }

  begin() {}

  record({ index }) {
    const { random } = this;
    const { task, model, trial } = this.plan.identity(index);
    const passed = random.chance(passProbability(task, model));
    const { tally, text } = this.#body(modelName(model), passed, random.below(BODIES));
    const started = startTime(index);
    this.out.ascii(
      `{"type":"trajectory-metrics","schema":1,"format":"vally","source":{"path":"results.jsonl","line":${index + 1},` +
        `"index":null},"id":"${random.hex(8)}-${index}","task":"${taskName(task)}","trial":${trial},` +
        `"model":"${modelName(model)}","variant":"${trial % 2 ? 'candidate' : 'baseline'}","executor":"copilot-sdk",` +
        `"status":"success","startedAt":"${iso(started)}","completedAt":"${iso(started + tally.wallTimeMs)}",`,
    );
    this.out.bytes(text, 0, text.length);
    this.totals.add(passed ? 'passed' : 'failed', tally);
  }

  #body(model, passed, number) {
    const key = `${model} ${passed}`;
    const bodies = this.bodies.get(key) ?? new Array(BODIES);
    this.bodies.set(key, bodies);
    bodies[number] ??= this.#makeBody(model, passed);
    return bodies[number];
  }

  /** All of a row that does not tell which one it is. */
  #makeBody(model, passed) {
    const { random } = this;
    const tally = new Tally();
    const turns = 2 + random.below(20);
    tally.turnCount = turns;
    const input = turns * (2000 + random.below(9000));
    const own = { inputTokens: input, outputTokens: turns * random.below(700), callCount: turns };
    Object.assign(tally, own);
    tally.cacheReadTokens = Math.floor(input * 0.8);
    tally.cacheWriteTokens = Math.floor(input * 0.1);
    tally.byModel.set(model, own);
    tally.wallTimeMs = turns * (4000 + random.below(3000));
    if (random.chance(0.3)) tally.skill('test-writer');
    tally.errorCount = random.chance(0.05) ? 1 : 0;

    const tools = [];
    for (const name of TOOLS) {
      const calls = random.below(8);
      if (calls === 0) continue;
      const errors = random.chance(0.2) ? 1 : 0;
      const latency = Array.from({ length: calls }, () => 5 + random.below(3000));
      tools.push(`"${name}":{"calls":${calls},"errors":${errors},"unanswered":0,"latencyMs":[${latency}]}`);
      tally.tools.set(name, calls);
      tally.toolCallCount += calls;
      tally.toolErrorCount += errors;
    }
    const llm = Math.floor(tally.wallTimeMs * 0.6);
    const tool = Math.floor(tally.wallTimeMs * 0.3);
    const cost = (input * 3 + tally.outputTokens * 15) / 1e6;
    const text = Buffer.from(
      `"outcome":"${passed ? 'passed' : 'failed'}","scores":{"score":${passed ? 1 : random.below(3) / 3}},` +
        `"metrics":${JSON.stringify(tally.metrics())},"costUsd":${cost},"tools":{${tools}},` +
        `"errors":{${tally.errorCount ? '"TimeoutError":1' : ''}},` +
        `"graders":{"tool-calls":{"passed":${Number(passed)},"failed":${Number(!passed)}}},"judge":null,` +
        `"time":{"llmMs":${llm},"toolMs":${tool},"otherMs":${tally.wallTimeMs - llm - tool}},` +
        `"messages":{"system":1,"user":1,"assistant":${turns},"tool":${tally.toolCallCount}},"patch":null,` +
        `"recorded":{"inputTokens":${input},"turnCount":${turns},"wallTimeMs":${tally.wallTimeMs}}}\n`,
    );
    return { tally, text };
  }

  end() {}
}

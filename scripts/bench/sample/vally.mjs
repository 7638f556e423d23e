import { ERROR_TYPES, iso, modelName, passProbability, SKILLS, startTime, TOOLS, taskName } from './names.mjs';
import { Pace } from './pace.mjs';
import { drawUsage, Tally } from './tally.mjs';

const EVAL = '"evalName":"sample-eval","evalFilePath":"evals/sample/eval.yaml"';
const TAIL_BYTES = 1500; // what follows the events, without the output text

/** `results.jsonl`: a `trial-result` a line, keys in their real order, and a `run-summary` at the end. */
export class Vally {
  static recordSize = 85_000;
  static smallEvent = 190;
  static events = (bytes) => bytes / 1440; // as in real logs

  constructor(context) {
    Object.assign(this, context);
    this.passed = 0;
    this.graded = 0;
  }

  begin() {}

  record({ index, bytes, events, giant, plain }) {
    const { out, random } = this;
    const { task, model, trial } = this.plan.identity(index);
    const stimulus = taskName(task);
    const variant = trial % 2 ? 'candidate' : 'baseline';
    const total = this.plan.trials ? `,"totalTrials":${this.plan.trials}` : '';
    const start = out.position;
    out.ascii(
      `{"type":"trial-result","itemId":"sample-eval/${stimulus}/${modelName(model)}/${trial}",${EVAL},` +
        `"variant":"${variant}","stimulus":"${stimulus}","model":"${modelName(model)}","trialIndex":${trial}${total}`,
    );
    const fate = plain ? 1 : random.unit();
    if (fate < 0.03) this.#broken(fate);
    else this.#graded({ task, model, stimulus, index, bytes: bytes - (out.position - start), events, giant });
    out.ascii('}\n');
  }

  /** An errored or skipped trial: no trajectory, no grade. */
  #broken(fate) {
    const outcome = fate < 0.01 ? 'timeout' : fate < 0.02 ? 'error' : 'skipped';
    const message = { timeout: 'Agent timed out after 600000 ms', error: 'connect ECONNRESET: \\"socket hang up\\"' };
    const error = outcome === 'skipped' ? '' : `,"error":"${message[outcome]}"`;
    const status = outcome === 'skipped' ? 'skipped' : 'error';
    this.out.ascii(`,"status":"${status}","durationMs":600000,"gradeResult":null,"trajectory":null${error}`);
    this.totals.add(outcome, null);
  }

  #graded({ task, model, stimulus, index, bytes, events, giant }) {
    const { out, random, text } = this;
    const id = random.uuid();
    const startedAt = startTime(index);
    const start = out.position;
    const pace = new Pace(out, { bytes, events, startedAt, eventsPerTurn: 7.3, bytesPerTurn: 1190 });
    const wallTimeMs = pace.completedAt - startedAt;
    out.ascii(`,"status":"success","durationMs":${wallTimeMs + 1500},"workspacePath":"workspaces/${id}"`);
    const passed = random.chance(passProbability(task, model));
    this.graded++;
    if (passed) this.passed++;
    this.#grade(passed, stimulus, id, pace.completedAt + 1500);

    out.ascii(',"trajectory":{"events":[');
    const answer = Math.min(900, bytes / 100);
    const prompt = Math.min(200, bytes / 100);
    pace.end -= TAIL_BYTES + answer + prompt;
    const tally = new Tally();
    this.#events(tally, pace, modelName(model), giant, events);
    tally.wallTimeMs = wallTimeMs;

    out.ascii(`],"id":"${id}","output":"`);
    text.write(out, random, Math.max(answer, start + bytes - TAIL_BYTES * 0.7 - prompt - out.position));
    out.ascii(`","stimulus":{"name":"${stimulus}","tags":{"suite":"sample","mode":"forced"},"prompt":"`);
    text.write(out, random, prompt);
    out.ascii(
      '","environment":{"files":[{"src":"../fixtures/main.ts","dest":"main.ts"}],"commands":["npm ci"]},' +
        '"constraints":{"max_turns":40,"max_tokens":1000000}},"workDir":"C:\\\\Temp\\\\vally-eval-x",' +
        `"endReason":"${random.chance(0.02) ? 'agent_timeout' : 'completed'}",` +
        `"metadata":{"startedAt":"${iso(startedAt)}","skillsLoaded":["${SKILLS.join('","')}"],` +
        `"sessionID":"${random.uuid()}","model":"${modelName(model)}","executor":"copilot-sdk",` +
        `"completedAt":"${iso(pace.completedAt)}"},"metrics":${JSON.stringify(tally.metrics())}}`,
    );
    this.totals.add(passed ? 'passed' : 'failed', tally);
  }

  #grade(passed, stimulus, id, time) {
    const { random } = this;
    const score = passed ? 1 : random.below(3) / 3;
    const word = (good) => (good ? 'correct' : 'incorrect');
    const first = passed || score > 0.5;
    this.out.ascii(
      `,"gradeResult":{"name":"trajectory-grade","kind":"code","passed":${passed},"score":${score},` +
        `"evidence":"${Math.round(score * 3)}/3 graders passed","details":[` +
        `{"name":"tool-calls","passed":${first},"kind":"code","evidence":"All required tools were called\\nNo others",` +
        `"score":${Number(first)},"metadata":{"required":["edit"],"tools":["edit","view"]}},` +
        `{"name":"file-matches","kind":"code","passed":${passed},"score":${Number(passed)},` +
        `"evidence":"Pattern /model\\\\s+\\"\\\\w+\\"/ in 'main.ts'","label":"${word(passed)}"},` +
        `{"name":"prompt","kind":"llm","passed":${passed},"score":${Number(passed)},"evidence":"Judged \\u2714",` +
        `"label":"${word(passed)}","details":[{"name":"prompt/complete","kind":"llm","passed":${passed},` +
        `"score":${Number(passed)},"evidence":"","label":"${word(passed)}"}],` +
        `"metadata":{"token_usage":{"inputTokens":${1500 + random.below(3000)},"outputTokens":${random.below(400)},` +
        `"model":"judge-1"},"latency_ms":${800 + random.below(4000)}}}],` +
        `"stimulusName":"${stimulus}","trajectoryId":"${id}","timestamp":"${iso(time)}"}`,
    );
  }

  #events(tally, pace, model, giant, events) {
    const { out, random } = this;
    this.tally = tally;
    this.#event('user_message', pace.now, '"content":"');
    this.text.write(out, random, pace.room(pace.turnsLeft(0)) * 0.5);
    out.ascii('"}}');
    if (giant) {
      this.#call('view', 'giant', pace.now, 0);
      this.#result({ name: 'view', id: 'giant', time: pace.now, failed: false }, 0, giant);
    }
    const helper = random.chance(0.1) ? 'helper-mini' : model;
    do {
      this.#turn(pace, random.chance(0.15) ? helper : model);
    } while (tally.events < events - 4);
  }

  #turn(pace, model) {
    const { out, random, text, tally } = this;
    const left = pace.turnsLeft(tally.events);
    const last = left <= 1;
    const room = pace.room(left);
    const slot = pace.slot(left, random);
    const id = tally.turnCount++;
    this.#event('turn_start', pace.now, `"turnId":"${id}"}}`);
    pace.now += Math.floor(slot * (0.3 + random.unit() * 0.4));
    const end = pace.now + Math.floor(slot * 0.3);

    const usage = drawUsage(random, Math.min(200_000, id * 700));
    tally.usage(model, usage);
    this.#event(
      'token_usage',
      pace.now,
      `"inputTokens":${usage.input},"outputTokens":${usage.output},"model":"${model}",` +
        `"cacheReadTokens":${usage.cacheRead},"cacheWriteTokens":${usage.cacheWrite}}}`,
    );
    if (random.chance(0.05)) this.#event('reasoning', pace.now, '"content":"Let me think\\u2026"}}');
    this.#event('assistant_message', pace.now, '"content":"');
    text.write(out, random, last ? room * 0.15 : room * 0.15 * random.skewed());
    out.ascii('"}}');
    if (id === 0 && random.chance(0.5)) this.#skill(pace.now, room);

    // Several calls at once, answered in the order in which they finish.
    const calls = random.chance(0.3) ? 2 + random.below(3) : 1;
    const pending = [];
    const share = (room * 0.85) / calls;
    for (let i = 0; i < calls; i++) {
      const name = random.pick(TOOLS);
      const call = { name, id: `call_${id.toString(36)}_${i}`, time: 0, failed: random.chance(0.04) };
      call.time = Math.min(end, pace.now + i + 1 + random.below(Math.max(1, end - pace.now)));
      this.#call(name, call.id, Math.min(end, pace.now + i), last ? share * 0.2 : share * 0.2 * random.skewed());
      pending.push(call);
    }
    if (calls > 1) pending.sort((a, b) => a.time - b.time);
    // A timed-out run leaves its last call without an answer.
    if (last && calls > 1 && random.chance(0.2)) pending.pop();
    for (const call of pending) this.#result(call, last ? share * 0.8 : share * 0.8 * random.skewed());
    pace.now = end;

    if (random.chance(0.01)) {
      tally.errorCount++;
      const type = random.pick(ERROR_TYPES);
      this.#event('error', end, `"message":"Request failed: \\"${type}\\"","type":"${type}","code":408}}`);
    }
    this.#event('turn_end', end, `"turnId":"${id}"}}`);
  }

  #skill(time, room) {
    const { random, tally } = this;
    const name = random.pick(SKILLS);
    tally.skill(name);
    this.#event(
      'skill_activation',
      time,
      `"name":"${name}","path":"skills\\\\${name}\\\\SKILL.md","content":"# Skill\\n`,
    );
    this.text.write(this.out, random, room * 0.5);
    this.out.ascii('","allowedTools":["view","edit"]}}');
  }

  #call(name, id, time, room) {
    this.tally.toolCall(name);
    this.#event(
      'tool_call',
      time,
      `"toolName":"${name}","toolCallId":"${id}","arguments":{"path":"src/main.ts","content":"`,
    );
    this.text.write(this.out, this.random, room);
    this.out.ascii('"}}}');
  }

  #result({ name, id, time, failed }, room, giant = 0) {
    const head = `"toolName":"${name}","toolCallId":"${id}","success":${!failed}`;
    if (failed) {
      this.tally.toolErrorCount++;
      this.#event('tool_result', time, `${head}}}`);
      return;
    }
    this.#event('tool_result', time, `${head},"result":{"content":"`);
    if (giant) this.text.writeExactly(this.out, this.random, giant);
    else this.text.write(this.out, this.random, room * 0.7);
    this.out.ascii('","detailedContent":"');
    this.text.write(this.out, this.random, room * 0.3);
    this.out.ascii('"}}}');
  }

  /** Begins an event; its data comes in `rest`, or after it. */
  #event(type, time, rest) {
    const comma = this.tally.events++ ? ',' : '';
    this.out.ascii(`${comma}{"type":"${type}","timestamp":"${iso(time)}","data":{${rest}`);
  }

  end() {
    const score = this.graded ? this.passed / this.graded : 0;
    this.out.ascii(
      `{"type":"run-summary","passed":${score === 1},"evals":[{"name":"sample-eval","specPath":"evals/sample/eval.yaml",` +
        `"model":"${modelName(0)}","overallScore":${score},"threshold":1,"passed":${score === 1},` +
        `"stimuliRun":${this.graded},"stimuliTotal":${this.totals.trajectories},"durationMs":321793,` +
        '"hasScoringConfig":true,"scoringApplied":true}]}\n',
    );
  }
}

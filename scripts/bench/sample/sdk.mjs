import { TOOLS, taskName } from './names.mjs';
import { drawUsage, Tally } from './tally.mjs';
import { Measure } from './writer.mjs';

const LEAST_MESSAGE = 170; // bytes

/**
 * Conversations, one a line. Step k repeats every message of step k−1: instead of keeping the messages, the random
 * state is put back and they are written again.
 */
export class Sdk {
  static recordSize = 85_000;
  static smallEvent = 300;
  // Four messages a step, 1,200 new bytes in each step, all of them repeated in the steps after it.
  static events = (bytes) => 4 * Math.sqrt((2 * bytes) / 1200);

  constructor(context) {
    Object.assign(this, context);
  }

  begin() {}

  record({ index, bytes, events, giant, plain }) {
    const { out, random } = this;
    const { task, model, trial } = this.plan.identity(index);
    const steps = this.#steps(bytes, events);
    const shape = { steps, rounds: Math.max(1, Math.round((events / steps - 2) / 2)), start: random.state };
    // The length of a text for the wanted size: the size is linear in it, so two measurements tell.
    const size = (room) => this.#step(new Measure(), shape, steps, room, 0);
    const empty = size(0);
    const room = Math.max(0, ((bytes - 700 - empty) / Math.max(1, size(1000) - empty)) * 1000);
    const tally = this.#tally(shape, room, giant);

    const failed = !plain && random.chance(0.05);
    const name = `${taskName(task)}-${model}-${trial}`;
    const llm = tally.wallTimeMs * 0.7;
    out.ascii(
      `{"task":{"id":"${name}","source":"sample","num_turns":${steps},` +
        `"total_tokens":${tally.inputTokens + tally.outputTokens},"cost":${this.cost / 1e6}},"steps":[`,
    );
    const after = random.state;
    this.#conversation(out, shape, room, giant);
    random.state = after;
    out.ascii(
      `],"reward":${random.chance(0.1) ? 'null' : `{"value":${random.below(101) / 100}}`},` +
        `"metrics":{"input_tokens":${tally.inputTokens},"output_tokens":${tally.outputTokens},` +
        `"tool_calls":${tally.toolCallCount},"tool_errors":${tally.toolErrorCount}},` +
        `"execution_metrics":{"llm_time_ms":${llm},"total_time_ms":${tally.wallTimeMs}},` +
        `"error":${failed ? '"RuntimeError: \\"context\\" exceeded"' : 'null'}}\n`,
    );
    this.totals.add(failed ? 'error' : 'ungraded', tally);
  }

  /** All messages are in the last step, so n steps of m new bytes each are m·n·(n+1)/2 bytes. */
  #steps(bytes, events) {
    const affordable = (2 * bytes) / (events * LEAST_MESSAGE) - 1;
    return Math.max(1, Math.round(Math.min(affordable, events / 4)));
  }

  #tally(shape, room, giant) {
    this.tally = new Tally();
    this.cost = 0;
    const tally = this.tally;
    this.#step(new Measure(), shape, shape.steps, room, giant);
    this.tally = null;
    tally.turnCount = shape.steps;
    tally.wallTimeMs = tally.events * 1000;
    return tally;
  }

  #conversation(out, shape, room, giant) {
    for (let step = 1; step <= shape.steps; step++) {
      out.ascii(step > 1 ? ',{"messages":[' : '{"messages":[');
      // Only in the last step, so that it is written once.
      this.#step(out, shape, step, room, step === shape.steps ? giant : 0);
      out.ascii(']}');
    }
  }

  /** Returns the bytes of all steps up to this one: each ends with one of its turns. */
  #step(out, { rounds, start }, turns, room, giant) {
    const { random, text } = this;
    const from = out.position;
    let bytes = 0;
    random.state = start;
    out.ascii('{"role":"system","content":"You are a helpful agent.\\nUse the tools."}');
    if (this.tally) this.tally.events++;
    for (let turn = 0; turn < turns; turn++) {
      out.ascii(',{"role":"user","content":"');
      text.write(out, random, room * 0.2);
      out.ascii('"}');
      for (let round = 0; round < rounds; round++) this.#round(out, `call_${turn}_${round}`, room / rounds);
      const usage = drawUsage(random, Math.min(200_000, turn * 500));
      if (giant && turn === turns - 1) {
        out.ascii(',{"role":"assistant","content":"');
        text.writeExactly(out, random, giant);
      } else {
        out.ascii(',{"role":"assistant","content":"');
        text.write(out, random, room * (0.1 + 0.2 * random.unit()));
      }
      out.ascii(`","usage":{"input_tokens":${usage.input},"output_tokens":${usage.output}}}`);
      this.#count(usage, 2);
      bytes += out.position - from + '{"messages":[]},'.length;
    }
    return bytes;
  }

  /** A message with a tool call, and its answer. */
  #round(out, id, room) {
    const { random, text } = this;
    const name = random.pick(TOOLS);
    const usage = drawUsage(random, 3000);
    const failed = random.chance(0.04);
    out.ascii(
      `,{"role":"assistant","content":null,"tool_calls":[{"id":"${id}","name":"${name}",` +
        '"arguments":{"path":"src/main.ts"}}],' +
        `"usage":{"input_tokens":${usage.input},"output_tokens":${usage.output}}},` +
        `{"role":"tool","tool_call_id":"${id}","tool_response":{"${failed ? 'error' : 'result'}":"`,
    );
    text.write(out, random, room * (0.4 + 0.4 * random.unit()));
    out.ascii('"}}');
    this.#count(usage, 2);
    this.tally?.toolCall(name);
    if (failed && this.tally) this.tally.toolErrorCount++;
  }

  #count(usage, events) {
    if (!this.tally) return;
    this.tally.usage('', { ...usage, cacheRead: 0, cacheWrite: 0 });
    this.tally.events += events;
    this.cost += usage.input * 3 + usage.output * 15;
  }

  end() {}
}

import { startTime } from './names.mjs';
import { Tally } from './tally.mjs';

const WINDOW = 12; // steps whose messages are still in the context of a step
// Every third response makes two calls, so the number of tool messages before a step needs no bookkeeping.
const calls = (step) => (step % 3 === 0 ? 2 : 1);
const toolsBefore = (step) => step + Math.ceil(step / 3);

/** The `trajectory.json` of one run: a pool of messages, and the steps that name them. */
export class Forecast {
  static recordSize = 85_000;
  static smallEvent = 380;
  static events = (bytes) => bytes / 1500;

  constructor(context) {
    Object.assign(this, context);
  }

  begin() {}

  record({ bytes, events, giant }) {
    const { out, random, text } = this;
    const steps = Math.max(1, Math.round(events / 2.34));
    const tally = new Tally();
    const end = out.position + bytes + giant;
    const stepBytes = this.#stepBytes(steps);
    let time = startTime(0) / 1000;
    let first = null; // only responses and tool messages have a time
    out.ascii('{"messages":[{"key":"S0","message":{"role":"system","content":"You forecast events."}}');
    out.ascii(',{"key":"U0","message":{"role":"user","content":"Will it happen?\\nAnswer with a probability."}}');
    tally.events = 2;
    for (let step = 0; step < steps; step++) {
      const left = steps - step;
      const ahead = giant && step < 1 ? giant : 0;
      const room = Math.max(0, (end - ahead - out.position - stepBytes) / left - 640);
      const skew = () => (left === 1 ? 1 : random.skewed());
      time += 1 + random.below(20) / 4;
      first ??= time;
      this.#assistant(tally, step, time, room * 0.2 * skew());
      for (let i = 0; i < calls(step); i++) {
        const failed = random.chance(0.04);
        time += 0.25;
        out.ascii(
          `,{"key":"T${toolsBefore(step) + i}","message":{"role":"tool","tool_call_id":"call_${step}_${i}","content":"`,
        );
        if (ahead && i === 0) text.writeExactly(out, random, ahead);
        else text.write(out, random, ((room * 0.8) / calls(step)) * skew());
        out.ascii(`","extra":{"error":${failed ? '"HTTP 429"' : 'null'},"search_cost":0.005,"timestamp":${time}}}}`);
        tally.events++;
        if (failed) tally.toolErrorCount++;
      }
    }
    out.ascii('],"steps":[');
    for (let step = 0; step < steps; step++) out.ascii((step ? ',' : '') + this.#step(step));
    out.ascii('],"trajectory_format":"forecast-1"}\n');
    tally.turnCount = steps;
    tally.wallTimeMs = Math.round((time - first) * 1000);
    this.totals.add('ungraded', tally);
  }

  #assistant(tally, step, time, room) {
    const { out, random } = this;
    const actions = [];
    for (let i = 0; i < calls(step); i++) {
      const name = random.pick(['web_search', 'web_search', 'read_page', 'update_board']);
      tally.toolCall(name);
      actions.push(`{"name":"${name}","arguments":{"query":"news"},"tool_call_id":"call_${step}_${i}"}`);
    }
    const input = 1000 + Math.min(100_000, step * 300) + random.below(300);
    const output = 20 + random.below(400);
    const cacheRead = Math.floor(input / 2);
    tally.usage('', { input, output, cacheRead, cacheWrite: 0 });
    tally.events++;
    out.ascii(`,{"key":"A${step}","message":{"role":"assistant","content":"`);
    this.text.write(out, random, room);
    out.ascii(
      `","extra":{"actions":[${actions.join()}],"cost":${(input * 3 + output * 15) / 1e6},"prompt_tokens":${input},` +
        `"completion_tokens":${output},"cached_tokens":${cacheRead},"cache_creation_tokens":0,"timestamp":${time}}}}`,
    );
  }

  /** What the model saw: the first two messages, and the last steps before this one. */
  #step(step) {
    const keys = ['S0', 'U0'];
    for (let i = Math.max(0, step - WINDOW); i < step; i++) {
      keys.push(`A${i}`);
      for (let tool = 0; tool < calls(i); tool++) keys.push(`T${toolsBefore(i) + tool}`);
    }
    return `{"input":["${keys.join('","')}"],"output":"A${step}"}`;
  }

  /** The bytes of all steps, near enough: one from the middle, times their number. */
  #stepBytes(steps) {
    return steps * (this.#step(Math.floor(steps / 2)).length + 1);
  }

  end() {}
}

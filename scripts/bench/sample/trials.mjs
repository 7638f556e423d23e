import { iso, modelName, SKILLS, startTime, TRIALS_TOOLS, taskName } from './names.mjs';
import { Pace } from './pace.mjs';
import { drawUsage, Tally } from './tally.mjs';

const PATCH_FILE =
  'diff --git a/src/main.py b/src/main.py\\n--- a/src/main.py\\n+++ b/src/main.py\\n@@ -1,3 +1,4 @@\\n';

/** `*.trials.json`: an array of instances, each with its trajectory inline. */
export class Trials {
  static recordSize = 85_000;
  static smallEvent = 420;
  static events = (bytes) => bytes / 2000; // as in real logs

  constructor(context) {
    Object.assign(this, context);
  }

  begin() {
    this.out.ascii('[');
  }

  record({ index, bytes, events, giant, plain }) {
    const { out, random } = this;
    const { task, model } = this.plan.identity(index);
    const startedAt = startTime(index);
    const pace = new Pace(out, { bytes, events, startedAt, eventsPerTurn: 2.35, bytesPerTurn: 980 });
    const tally = new Tally();
    this.tally = tally;
    this.cost = 0; // in millionths of a dollar, to add up exactly
    // Ids name the commit, which differs from one try at a task to the next: no two instances are the same.
    out.ascii(`${index ? ',' : ''}\n{"instance_id":"sample__${taskName(task)}_${random.hex(12)}","model_patch":"`);
    this.#patch();
    out.ascii('","trajectory":[');
    this.#event('system', startedAt, `,"model":"${modelName(model)}"}`);
    pace.end -= 500;
    this.#event('user', startedAt, ',"message":{"role":"user","content":[{"type":"text","text":"');
    this.text.write(out, random, pace.room(pace.turnsLeft(0)));
    out.ascii('"}]}}');
    if (giant) this.#giant(giant, modelName(model), startedAt);
    do {
      this.#turn(pace, modelName(model));
    } while (tally.events < events - 2);

    const failed = !plain && random.chance(0.05);
    tally.wallTimeMs = pace.completedAt - startedAt;
    this.#event(
      'result',
      pace.completedAt,
      `,"subtype":"${failed ? 'error_max_turns' : random.chance(0.5) ? 'success' : 'completed'}",` +
        `"duration_ms":${tally.wallTimeMs},"total_cost_usd":${this.cost / 1e6},"num_turns":${tally.turnCount},` +
        `"is_error":${failed},"usage":{"input_tokens":${tally.inputTokens},"output_tokens":${tally.outputTokens}}}`,
    );
    out.ascii(']}');
    this.totals.add(failed ? 'error' : 'ungraded', tally);
  }

  /** One to three files; empty now and then. */
  #patch() {
    const { out, random } = this;
    if (random.chance(0.05)) return;
    for (let files = 1 + random.below(3); files > 0; files--) {
      out.ascii(PATCH_FILE);
      for (let lines = 1 + random.below(4); lines > 0; lines--)
        out.ascii('-    return \\"old\\"\\n+    return \\"new\\"\\n context\\n');
    }
  }

  /** A response, on one or two events that share its id and repeat its usage, and the results of its calls. */
  #turn(pace, model) {
    const { out, random, text, tally } = this;
    const left = pace.turnsLeft(tally.events);
    const last = left <= 1;
    const room = pace.room(left);
    const slot = pace.slot(left, random);
    const skew = () => (last ? 1 : random.skewed());
    const turn = tally.turnCount++;
    pace.now += Math.floor(slot * 0.7);
    const end = pace.now + Math.floor(slot * 0.3);

    const usage = drawUsage(random, Math.min(200_000, turn * 700));
    tally.usage(model, usage);
    const cost = usage.input * 3 + usage.output * 15;
    this.cost += cost;
    const message = `,"message":{"id":"msg_${turn.toString(36)}","role":"assistant","content":[`;
    const spent =
      `],"usage":{"input_tokens":${usage.input},"output_tokens":${usage.output},` +
      `"cache_read_input_tokens":${usage.cacheRead},"cache_creation_input_tokens":${usage.cacheWrite}}`;
    const done = `${spent},"cost":${cost / 1e6}}}`;
    this.#event('assistant', pace.now, `${message}{"type":"text","text":"`);
    text.write(out, random, room * 0.15 * skew());
    out.ascii('"}');
    // One in three responses is written as two events; only the last of them has the cost.
    if (random.chance(0.33)) {
      out.ascii(`${spent}}}`);
      this.#event('assistant', pace.now, message);
    } else {
      out.ascii(',');
    }
    const calls = random.chance(0.3) ? 2 + random.below(2) : 1;
    const share = (room * 0.85) / calls;
    for (let i = 0; i < calls; i++) this.#toolUse(`toolu_${turn.toString(36)}_${i}`, i > 0, share * 0.2 * skew());
    out.ascii(done);

    this.#event('user', end, ',"message":{"role":"tool","content":[');
    for (let i = 0; i < calls; i++) {
      out.ascii(`${i ? ',' : ''}{"type":"tool_result","tool_use_id":"toolu_${turn.toString(36)}_${i}","content":"`);
      text.write(out, random, share * 0.8 * skew());
      const failed = random.chance(0.04);
      if (failed) tally.toolErrorCount++;
      out.ascii(failed ? '","is_error":true}' : '"}');
    }
    out.ascii(']}}');
    pace.now = end;
  }

  #toolUse(id, more, room) {
    const { out, random, tally } = this;
    const skill = random.chance(0.02) ? random.pick(SKILLS) : null;
    const name = skill ? 'Skill' : random.pick(TRIALS_TOOLS);
    tally.toolCall(name);
    if (skill) tally.skill(skill);
    const first = skill ? `"skill":"${skill}"` : '"file_path":"/src/main.py"';
    out.ascii(`${more ? ',' : ''}{"type":"tool_use","id":"${id}","name":"${name}","input":{${first},"text":"`);
    this.text.write(out, random, room);
    out.ascii('"}}');
  }

  #giant(size, model, time) {
    this.tally.turnCount++;
    this.tally.toolCall('Read');
    const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
    this.tally.usage(model, usage);
    this.cost += 450;
    this.#event(
      'assistant',
      time,
      ',"message":{"id":"msg_giant","role":"assistant","content":[{"type":"tool_use","id":"giant","name":"Read","input":{}}],' +
        '"usage":{"input_tokens":100,"output_tokens":10},"cost":0.00045}}',
    );
    this.#event(
      'user',
      time,
      ',"message":{"role":"tool","content":[{"type":"tool_result","tool_use_id":"giant","content":"',
    );
    this.text.writeExactly(this.out, this.random, size);
    this.out.ascii('"}]}}');
  }

  #event(type, time, rest) {
    this.out.ascii(`${this.tally.events++ ? ',' : ''}{"type":"${type}","timestamp":"${iso(time)}"${rest}`);
  }

  end() {
    this.out.ascii('\n]\n');
  }
}

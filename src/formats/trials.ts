import type { EventData, TrajectoryEvent } from '../model/event.ts';
import type { PatchStatistics } from '../model/row.ts';
import type { TrajectoryHead, TrajectorySink } from '../model/trajectory.ts';
import { either, folded, list, measured, object, type Shape, scalar, streamed, time, whole } from '../parse/shape.ts';
import { epochMs } from '../stats/epoch-ms.ts';
import { type Detail, type Layout, perDetail, type Reader, type ReaderContext, type Recognise } from './format.ts';
import { patchStatistics } from './patch.ts';
import {
  finite,
  hasText,
  isObject,
  kindOf,
  name,
  numbers,
  type Obj,
  obj,
  pick,
  type Timestamp,
  text,
  timestamp,
} from './values.ts';

/** `*.trials.json`: an array of instances, each with its events, or with the path of the file that holds them. */
export const trials: Layout = {
  format: 'trials',
  framing: 'elements',
  shape: perDetail((detail) =>
    object({
      instance_id: scalar,
      model_patch: folded(patchStatistics),
      trajectory: either(scalar, streamed('event', eventShape(detail))),
    }),
  ),
  reader: (sink) => new TrialsReader(sink, instanceOf),
};

/** A bare array of events in a file of its own is one trajectory, named after the file. */
export const trialEvents: Layout = {
  format: 'trials',
  framing: 'documents',
  shape: perDetail((detail) => streamed('event', eventShape(detail))),
  reader: (sink, context) => new TrialsReader(sink, (value) => bareInstance(value, context)),
};

const EVENT_TYPES = ['system', 'assistant', 'user', 'result'];

export const recogniseTrials: Recognise = (sample) => {
  if (!Array.isArray(sample) || !isObject(sample[0])) return null;
  const [first] = sample;
  if ('instance_id' in first || 'model_patch' in first) return trials;
  if (sample.some(isTrialEvent)) return trialEvents;
  const { trajectory } = first;
  return Array.isArray(trajectory) || typeof trajectory === 'string' ? trials : null;
};

/** A message may be longer than what is looked at, and stand before the type. */
function isTrialEvent(event: unknown): boolean {
  if (!isObject(event)) return false;
  if (typeof event.type === 'string') return EVENT_TYPES.includes(event.type);
  return isObject(event.message) && ('role' in event.message || 'content' in event.message);
}

function eventShape(detail: Detail): Shape {
  return detail === 'events' ? whole : EVENT;
}

const USAGE: Shape = object({
  input_tokens: scalar,
  prompt_tokens: scalar,
  output_tokens: scalar,
  completion_tokens: scalar,
  cache_read_input_tokens: scalar,
  cache_creation_input_tokens: scalar,
});

const BLOCK: Shape = object({
  type: scalar,
  text: measured,
  id: scalar,
  name: scalar,
  input: object({ skill: scalar, command: scalar }),
  tool_use_id: scalar,
  is_error: scalar,
});

const EVENT: Shape = object({
  type: scalar,
  subtype: scalar,
  timestamp: time,
  model: scalar,
  message: object({
    id: scalar,
    model: scalar,
    content: either(measured, list(either(measured, BLOCK))),
    usage: USAGE,
    cost: scalar,
  }),
  usage: USAGE,
  duration_ms: scalar,
  total_cost_usd: scalar,
  num_turns: scalar,
  is_error: scalar,
});

interface Instance {
  id: string | null;
  patch: PatchStatistics | null;
  /** The file that holds the events, in the split layout. */
  elsewhere: string | null;
  hasTrajectory: boolean;
}

function instanceOf(value: unknown): Instance | string {
  if (!isObject(value)) return `expected an instance (an object), got ${kindOf(value)}`;
  const { trajectory } = value;
  const elsewhere = text(trajectory);
  return {
    id: name(value.instance_id),
    patch: patchOf(value.model_patch),
    elsewhere,
    hasTrajectory: Array.isArray(trajectory) || elsewhere !== null,
  };
}

/** A text has become its statistics on the way; an object in the log has not. */
function patchOf(patch: unknown): PatchStatistics | null {
  return isObject(patch) && 'bytes' in patch ? (patch as unknown as PatchStatistics) : null;
}

function bareInstance(value: unknown, context: ReaderContext): Instance | string {
  if (!Array.isArray(value)) return `expected an array of events, got ${kindOf(value)}`;
  return { id: context.name, patch: null, elsewhere: null, hasTrajectory: true };
}

/** More responses than this in one trajectory, and the oldest are taken as complete: memory must have a bound. */
const OPEN_RESPONSES = 100_000;

class TrialsReader implements Reader {
  private facts = new Facts();

  constructor(
    private readonly sink: TrajectorySink,
    private readonly instance: (value: unknown) => Instance | string,
  ) {}

  item(_stream: string, value: unknown): void {
    if (!isObject(value)) return;
    const at = timestamp(value.timestamp);
    this.facts.see(at);
    switch (value.type) {
      case 'system':
        this.facts.model ??= text(value.model);
        break;
      case 'assistant':
        this.assistant(obj(value.message), at);
        break;
      case 'user':
        this.user(obj(value.message), at);
        break;
      case 'result':
        this.facts.result = value;
        break;
      default: {
        const { type, timestamp, ...data } = value;
        this.emit(name(type) ?? '(no type)', at, data);
      }
    }
  }

  record(value: unknown): void {
    const { facts } = this;
    const instance = this.instance(value);
    if (typeof instance === 'string') {
      this.abandon();
      this.sink.refuse(instance);
      return;
    }
    for (const usage of facts.open.values()) if (usage) this.sink.event(usage);
    this.facts = new Facts();
    const head = facts.head(instance);
    if (instance.elsewhere === null) this.sink.end(head);
    else this.sink.endElsewhere(head, instance.elsewhere);
  }

  abandon(): void {
    this.facts = new Facts();
    this.sink.abandon();
  }

  private assistant(message: Obj, at: Timestamp): void {
    const { facts } = this;
    const cost = finite(message.cost);
    const id = name(message.id);
    facts.messageModel ??= text(message.model);
    facts.response(id, this.usage(message, at), cost, (usage) => this.sink.event(usage));
    const blocks = blocksOf(message.content);
    const words = textOf(blocks);
    if (words !== null) this.emit('assistant_message', at, { content: words });
    for (const block of blocks) {
      if (!isObject(block) || block.type !== 'tool_use') continue;
      this.emit('tool_call', at, { toolName: block.name, toolCallId: block.id, arguments: block.input });
      // Chosen: a use of the tool `Skill` activates the skill that it names.
      if (block.name === 'Skill') {
        const input = obj(block.input);
        this.emit('skill_activation', at, { name: text(input.skill, input.command) ?? '(unknown)' });
      }
    }
  }

  private user(message: Obj, at: Timestamp): void {
    const blocks = blocksOf(message.content);
    for (const block of blocks) {
      if (!isObject(block) || block.type !== 'tool_result') continue;
      this.emit('tool_result', at, {
        toolCallId: block.tool_use_id,
        success: block.is_error !== true,
        result: block.content,
      });
    }
    const words = textOf(blocks);
    if (words !== null) this.emit('user_message', at, { content: words });
  }

  private usage(message: Obj, at: Timestamp): TrajectoryEvent | null {
    if (!isObject(message.usage)) return null;
    const { usage } = message;
    const data: EventData = {
      inputTokens: pick(usage, 'input_tokens', 'prompt_tokens'),
      outputTokens: pick(usage, 'output_tokens', 'completion_tokens'),
      model: text(message.model, this.facts.model) ?? undefined,
      cacheReadTokens: pick(usage, 'cache_read_input_tokens'),
      cacheWriteTokens: pick(usage, 'cache_creation_input_tokens'),
    };
    return { type: 'token_usage', timestamp: at, data };
  }

  private emit(type: string, timestamp: Timestamp, data: EventData): void {
    this.sink.event({ type, timestamp, data });
  }
}

/** What is gathered of one trajectory besides its events. */
class Facts {
  model: string | null = null;
  /** The first model that a message names, where the log has no system event. */
  messageModel: string | null = null;
  result: Obj | null = null;
  /**
   * The usage of each response by its id. Every block of a response repeats it, and the last one is the one that
   * counts, so these events come when the trajectory ends.
   */
  readonly open = new Map<string, TrajectoryEvent | null>();
  private responses = 0;
  private readonly costs = new Map<string, number>();
  private cost: number | null = null;
  private first: number | null = null;
  private last: number | null = null;

  see(timestamp: Timestamp): void {
    const at = epochMs(timestamp);
    if (at === null) return;
    if (this.first === null || at < this.first) this.first = at;
    if (this.last === null || at > this.last) this.last = at;
  }

  response(
    id: string | null,
    usage: TrajectoryEvent | null,
    cost: number | null,
    emit: (usage: TrajectoryEvent) => void,
  ): void {
    if (id === null) {
      this.responses++;
      if (usage) emit(usage);
      if (cost !== null) this.cost = (this.cost ?? 0) + cost;
      return;
    }
    if (!this.open.has(id)) this.responses++;
    this.open.set(id, usage ?? this.open.get(id) ?? null);
    if (cost !== null) {
      // Like the usage, a cost is repeated on every block.
      this.cost = (this.cost ?? 0) + cost - (this.costs.get(id) ?? 0);
      this.costs.set(id, cost);
    }
    if (this.open.size > OPEN_RESPONSES) {
      const [oldest, done] = this.open.entries().next().value as [string, TrajectoryEvent | null];
      this.open.delete(oldest);
      this.costs.delete(oldest);
      if (done) emit(done);
    }
  }

  head(instance: Instance): TrajectoryHead {
    const result = obj(this.result);
    const usage = obj(result.usage);
    const { first, last } = this;
    const duration = finite(result.duration_ms);
    const status = name(result.subtype);
    return {
      format: 'trials',
      id: instance.id,
      task: instance.id,
      trial: null,
      model: this.model ?? this.messageModel,
      variant: null,
      executor: null,
      status,
      outcome: result.is_error === true || status?.startsWith('error') ? 'error' : 'ungraded',
      scores: {},
      hasTrajectory: instance.hasTrajectory,
      startedAt: first,
      completedAt: last,
      wallTimeMs: duration ?? (first !== null && last !== null ? last - first : null),
      turnCount: this.responses,
      costUsd: finite(result.total_cost_usd) ?? this.cost,
      graders: {},
      judge: null,
      patch: instance.patch,
      recorded: () =>
        numbers([
          ['turnCount', finite(result.num_turns)],
          ['wallTimeMs', duration],
          ['costUsd', finite(result.total_cost_usd)],
          // The usage of the result sums up what the events said: kept to compare, never added.
          ['inputTokens', finite(pick(usage, 'input_tokens', 'prompt_tokens'))],
          ['outputTokens', finite(pick(usage, 'output_tokens', 'completion_tokens'))],
        ]),
    };
  }
}

/** Content is a string or an array of blocks; a string among the blocks is text too. */
function blocksOf(content: unknown): unknown[] {
  if (Array.isArray(content)) return content;
  return hasText(content) ? [content] : [];
}

/** The text of a message, or null if it has none. Where text was only measured, there is some, and it is not known. */
function textOf(blocks: unknown[]): string | null {
  let words: string | null = null;
  for (const block of blocks) {
    const part = isObject(block) && block.type === 'text' ? block.text : block;
    if (!hasText(part) || (typeof part !== 'string' && (part as Obj).type !== undefined)) continue;
    const more = typeof part === 'string' ? part : '';
    words = words === null ? more : `${words}\n${more}`;
  }
  return words;
}

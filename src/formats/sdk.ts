import type { EventData } from '../model/event.ts';
import type { TrajectoryHead, TrajectorySink } from '../model/trajectory.ts';
import { either, list, map, object, type Shape, scalar, streamed, whole } from '../parse/shape.ts';
import { type Detail, type Layout, perDetail, type Reader, type Recognise } from './format.ts';
import { finite, isObject, kindOf, name, numbers, type Obj, obj, pick, text } from './values.ts';

/** One conversation as Trajectory → Step → Turn → Message: an object a file, an array of them, or one a line. */
const sdk: Omit<Layout, 'framing'> = {
  format: 'sdk',
  shape: perDetail((detail) => trajectoryShape(detail)),
  reader: (sink) => new SdkReader(sink),
};
export const sdkLines: Layout = { ...sdk, framing: 'lines' };
export const sdkArray: Layout = { ...sdk, framing: 'elements' };

export const recogniseSdk: Recognise = (sample) => {
  if (Array.isArray(sample)) return isConversation(sample[0]) ? sdkArray : null;
  return isConversation(sample) ? sdkLines : null;
};

function isConversation(sample: unknown): boolean {
  // A row has a task and metrics too; one whose type was damaged must not make conversations of all the others.
  if (!isObject(sample) || 'schema' in sample || 'outcome' in sample) return false;
  const others = ['steps', 'reward', 'metrics', 'execution_metrics'].filter((key) => key in sample);
  if ('task' in sample) return others.length > 0;
  return 'steps' in sample && ('execution_metrics' in sample || holdsMessages(sample.steps));
}

/** Steps may be longer than what is looked at, and stand before all else. */
function holdsMessages(steps: unknown): boolean {
  const [step] = Array.isArray(steps) ? steps : [];
  const messages = isObject(step) ? step.messages : step;
  return Array.isArray(messages) && isObject(messages[0]) && 'role' in messages[0];
}

const MESSAGE: Shape = object({
  role: scalar,
  name: scalar,
  model: scalar,
  timestamp: scalar,
  tool_calls: list(object({ id: scalar, name: scalar, function: object({ name: scalar }) })),
  tool_call_id: scalar,
  tool_response: object({ error: scalar }),
  usage: object({
    input_tokens: scalar,
    prompt_tokens: scalar,
    output_tokens: scalar,
    completion_tokens: scalar,
    cache_read_input_tokens: scalar,
    cache_creation_input_tokens: scalar,
  }),
});

function trajectoryShape(detail: Detail): Shape {
  const messages = streamed('message', detail === 'events' ? whole : MESSAGE);
  return object({
    task: either(
      scalar,
      object({
        id: scalar,
        task_id: scalar,
        conversation_id: scalar,
        source: scalar,
        model: scalar,
        num_turns: scalar,
        turn_count: scalar,
        total_tokens: scalar,
        cost: scalar,
      }),
    ),
    // A step is an object with messages, or the array of messages itself.
    steps: streamed('step', either(object({ messages }), messages)),
    reward: either(scalar, object({ value: scalar, score: scalar, reward: scalar })),
    metrics: map(scalar),
    execution_metrics: map(scalar),
    error: object({ message: scalar }),
  });
}

class SdkReader implements Reader {
  private steps = 0;
  /** Messages of the longest step so far: what later steps repeat. */
  private known = 0;
  private inStep = 0;
  private model: string | null = null;

  constructor(private readonly sink: TrajectorySink) {}

  item(stream: string, value: unknown): void {
    if (stream === 'message') {
      // Steps are cumulative: only what stands beyond the messages of the step before is new.
      if (this.inStep >= this.known && isObject(value)) this.message(value);
      this.inStep++;
      return;
    }
    this.steps++;
    if (this.inStep < this.known)
      this.sink.warn(`step ${this.steps} has ${this.inStep} messages, fewer than the ${this.known} before it`);
    this.known = Math.max(this.known, this.inStep);
    this.inStep = 0;
  }

  record(value: unknown): void {
    if (!isObject(value)) {
      this.abandon();
      this.sink.refuse(`expected a conversation (an object), got ${kindOf(value)}`);
      return;
    }
    const head = conversationHead(value, this.steps, this.model);
    this.reset();
    this.sink.end(head);
  }

  abandon(): void {
    this.reset();
    this.sink.abandon();
  }

  private reset(): void {
    this.steps = 0;
    this.known = 0;
    this.inStep = 0;
    this.model = null;
  }

  private message(message: Obj): void {
    const at = text(message.timestamp);
    this.model ??= text(message.model);
    if (isObject(message.usage)) {
      const { usage } = message;
      this.emit('token_usage', at, {
        inputTokens: pick(usage, 'input_tokens', 'prompt_tokens'),
        outputTokens: pick(usage, 'output_tokens', 'completion_tokens'),
        model: text(message.model) ?? undefined,
        cacheReadTokens: pick(usage, 'cache_read_input_tokens'),
        cacheWriteTokens: pick(usage, 'cache_creation_input_tokens'),
      });
    }
    switch (message.role) {
      case 'assistant':
        return this.assistant(message, at);
      case 'tool': {
        const response = message.tool_response;
        const error = obj(response).error;
        return this.emit('tool_result', at, {
          toolName: text(message.name) ?? undefined,
          toolCallId: message.tool_call_id,
          success: error === undefined || error === null,
          result: response ?? message.content,
        });
      }
      case 'user':
        return this.emit('user_message', at, { content: message.content });
      case 'system':
        return this.emit('system', at, { content: message.content });
      default:
        return this.emit('custom', at, { ...message });
    }
  }

  private assistant(message: Obj, at: string | null): void {
    this.emit('assistant_message', at, { content: message.content });
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
    for (const call of calls) {
      if (!isObject(call)) continue;
      const called = obj(call.function);
      this.emit('tool_call', at, {
        toolName: text(call.name, called.name) ?? undefined,
        toolCallId: call.id,
        arguments: call.arguments ?? called.arguments,
      });
    }
  }

  private emit(type: string, timestamp: string | null, data: EventData): void {
    this.sink.event({ type, timestamp, data });
  }
}

function conversationHead(record: Obj, steps: number, model: string | null): TrajectoryHead {
  const task = obj(record.task);
  const id = name(record.task, task.id, task.task_id, task.conversation_id);
  const failed = record.error !== undefined && record.error !== null;
  const reward = obj(record.reward);
  const score = finite(record.reward, reward.value, reward.score, reward.reward);
  const recorded = recordedNumbers(task, obj(record.metrics), obj(record.execution_metrics));
  const hasTrajectory = Array.isArray(record.steps);
  return {
    format: 'sdk',
    id,
    task: id,
    trial: null,
    model: model ?? text(task.model),
    variant: name(task.source),
    executor: null,
    status: failed ? 'error' : null,
    outcome: failed ? 'error' : 'ungraded',
    scores: score === null ? {} : { reward: score },
    hasTrajectory,
    // The execution's own clock, where it says so, is the only one that most of these logs have.
    ...(recorded.wallTimeMs === undefined ? {} : { wallTimeMs: recorded.wallTimeMs }),
    ...(recorded.llmMs === undefined ? {} : { llmMs: recorded.llmMs }),
    turnCount: steps,
    costUsd: finite(task.cost),
    graders: {},
    judge: null,
    patch: null,
    recorded: () => recorded,
  };
}

/** The names that these logs use for what our metrics measure; chosen, since the format leaves them open. */
const METRIC_OF: Record<string, string> = {
  prompt_tokens: 'inputTokens',
  input_tokens: 'inputTokens',
  completion_tokens: 'outputTokens',
  output_tokens: 'outputTokens',
  total_tokens: 'totalTokens',
  tool_calls: 'toolCallCount',
  tool_call_count: 'toolCallCount',
  errors: 'errorCount',
  error_count: 'errorCount',
  num_turns: 'turnCount',
  turn_count: 'turnCount',
  cost: 'costUsd',
};
const TIME = /^(.*_time)(_ms|_s)?$/;
const TIME_METRIC_OF: Record<string, string> = { llm_time: 'llmMs', total_time: 'wallTimeMs' };

function recordedNumbers(task: Obj, metrics: Obj, execution: Obj): Record<string, number> {
  const entries: [string, number | null][] = [];
  for (const key of ['num_turns', 'turn_count', 'total_tokens', 'cost']) entries.push(metric(key, task[key]));
  for (const source of [metrics, execution])
    for (const [key, value] of Object.entries(source)) entries.push(metric(key, value));
  return numbers(entries);
}

function metric(key: string, value: unknown): [string, number | null] {
  const number = finite(value);
  const time = TIME.exec(key);
  const timed = time && Object.hasOwn(TIME_METRIC_OF, time[1]) ? TIME_METRIC_OF[time[1]] : null;
  // A bare `…_time` means seconds.
  if (time && timed) return [timed, number !== null && time[2] !== '_ms' ? milliseconds(number) : number];
  return [Object.hasOwn(METRIC_OF, key) ? METRIC_OF[key] : key, number];
}

/** Without the noise of binary fractions: 1.005 s are 1005 ms. */
function milliseconds(seconds: number): number {
  return Number((seconds * 1000).toPrecision(15));
}

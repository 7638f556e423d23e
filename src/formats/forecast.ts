import type { EventData } from '../model/event.ts';
import type { TrajectorySink } from '../model/trajectory.ts';
import { either, list, object, type Shape, scalar, streamed, whole } from '../parse/shape.ts';
import { isoTime } from '../stats/epoch-ms.ts';
import { modelOf, type RunParts, runHead, summaryRuns } from './forecast-run.ts';
import { type Detail, type Layout, perDetail, type Reader, type ReaderContext, type Recognise } from './format.ts';
import { finite, isObject, kindOf, type Obj, obj, text } from './values.ts';

/** `trajectory.json`: a pool of messages, each once, and the steps that refer to them. */
export const forecastTrajectory: Layout = {
  format: 'forecast',
  framing: 'documents',
  shape: perDetail((detail) =>
    object({
      messages: streamed('message', object({ key: scalar, message: messageShape(detail) })),
      steps: streamed('step', scalar),
    }),
  ),
  reader: (sink, context) => new TrajectoryReader(sink, context),
};

/** `info.json`: what was run, how it ended, and what it cost. */
export const forecastInfo: Layout = part(
  object({
    cost_stats: object({ total_cost: scalar, n_api_calls: scalar }),
    token_usage: object({ total_prompt_tokens: scalar, total_completion_tokens: scalar }),
    config: object({
      agent: either(scalar, object({ name: scalar, agent_class: scalar })),
      model: either(scalar, object({ model_name: scalar, name: scalar })),
    }),
    exit_status: scalar,
    evaluation: either(scalar, object({ brier: scalar, brier_score: scalar, score: scalar })),
  }),
  (run, info) => {
    run.info = info;
  },
);

/** `sources.json` says nothing that a row holds, but a run may have left nothing else. */
export const forecastSources: Layout = part(object({}), () => {});

/** `summary.json`: every run of an evaluation, with or without a folder of its own. */
export const forecastSummary: Layout = {
  format: 'forecast',
  framing: 'documents',
  shape: perDetail(() =>
    object({
      runs: list(
        object({
          task_id: scalar,
          run_id: scalar,
          status: scalar,
          cost: either(scalar, object({ total: scalar })),
          evaluation: either(scalar, object({ brier: scalar, brier_score: scalar, score: scalar })),
          output_dir: scalar,
        }),
      ),
    }),
  ),
  reader: (sink) => ({
    item() {},
    record(value) {
      summaryRuns(value).forEach((summary, index) => {
        sink.end(runHead({ name: null, summary }), index);
      });
    },
    abandon: () => sink.abandon(),
  }),
};

export const recogniseForecast: Recognise = (sample) => {
  if (!isObject(sample)) return null;
  if ('trajectory_format' in sample) return forecastTrajectory;
  const { messages, steps } = sample;
  if (Array.isArray(messages) && isObject(messages[0]) && 'key' in messages[0]) return forecastTrajectory;
  if (Array.isArray(steps) && isObject(steps[0]) && 'input' in steps[0] && 'output' in steps[0])
    return forecastTrajectory;
  if ('cost_stats' in sample || 'exit_status' in sample) return forecastInfo;
  if ('source_board' in sample) return forecastSources;
  if (Array.isArray(sample.runs) && ('total_cost' in sample || isListedRun(sample.runs[0]))) return forecastSummary;
  return null;
};

function isListedRun(run: unknown): boolean {
  return isObject(run) && 'status' in run && ('task_id' in run || 'run_id' in run);
}

function part(shape: Shape, add: (run: RunParts, value: Obj) => void): Layout {
  return {
    format: 'forecast',
    framing: 'documents',
    shape: () => shape,
    reader: (sink, context) => ({
      item() {},
      record(value) {
        if (!isObject(value)) return sink.refuse(`expected an object, got ${kindOf(value)}`);
        const run = context.run ?? { name: context.name };
        add(run, value);
        if (!context.run) sink.end(runHead(run));
      },
      abandon: () => sink.abandon(),
    }),
  };
}

const MESSAGE: Shape = object({
  role: scalar,
  name: scalar,
  tool_call_id: scalar,
  extra: object({
    actions: list(object({ name: scalar, tool_call_id: scalar })),
    cost: scalar,
    search_cost: scalar,
    prompt_tokens: scalar,
    completion_tokens: scalar,
    cached_tokens: scalar,
    cache_creation_tokens: scalar,
    timestamp: scalar,
    error: scalar,
    tool_call_id: scalar,
  }),
});

function messageShape(detail: Detail): Shape {
  return detail === 'events' ? whole : MESSAGE;
}

/** Keys are counted per role, and their letter names it; the older keys (`m0`) say nothing. */
const ROLE_OF_KEY: Record<string, string> = { S: 'system', U: 'user', A: 'assistant', T: 'tool' };

class TrajectoryReader implements Reader {
  private steps = 0;
  private cost: number | null = null;

  constructor(
    private readonly sink: TrajectorySink,
    private readonly context: ReaderContext,
  ) {}

  item(stream: string, value: unknown): void {
    if (stream === 'step') this.steps++;
    else if (isObject(value)) this.message(text(value.key) ?? '', obj(value.message));
  }

  record(value: unknown): void {
    const trajectory = { steps: this.steps, messageCosts: this.cost };
    if (!isObject(value)) {
      this.abandon();
      return this.sink.refuse(`expected an object, got ${kindOf(value)}`);
    }
    this.reset();
    if (this.context.run) this.context.run.trajectory = trajectory;
    else this.sink.end(runHead({ name: this.context.name, trajectory }));
  }

  abandon(): void {
    this.reset();
    this.sink.abandon();
  }

  private reset(): void {
    this.steps = 0;
    this.cost = null;
  }

  private message(key: string, message: Obj): void {
    const extra = obj(message.extra);
    const seconds = finite(extra.timestamp);
    const at = seconds === null ? text(extra.timestamp) : isoTime(Math.round(seconds * 1000));
    const spent = [finite(extra.cost), finite(extra.search_cost)].filter((cost) => cost !== null);
    for (const cost of spent) this.cost = (this.cost ?? 0) + cost;
    switch (text(message.role) ?? ROLE_OF_KEY[key[0]]) {
      case 'assistant':
        return this.assistant(message, extra, at);
      case 'tool':
        return this.emit('tool_result', at, {
          toolName: text(message.name) ?? undefined,
          toolCallId: text(message.tool_call_id, extra.tool_call_id) ?? undefined,
          success: extra.error === undefined || extra.error === null || extra.error === false,
          result: message.content,
        });
      case 'user':
        return this.emit('user_message', at, { content: message.content });
      case 'system':
        return this.emit('system', at, { content: message.content });
      default:
        return this.emit('custom', at, { key, content: message.content });
    }
  }

  private assistant(message: Obj, extra: Obj, at: string | null): void {
    if (finite(extra.prompt_tokens, extra.completion_tokens) !== null)
      this.emit('token_usage', at, {
        inputTokens: extra.prompt_tokens,
        outputTokens: extra.completion_tokens,
        model: modelOf(this.context.run?.info) ?? undefined,
        cacheReadTokens: extra.cached_tokens,
        cacheWriteTokens: extra.cache_creation_tokens,
      });
    this.emit('assistant_message', at, { content: message.content });
    const actions = Array.isArray(extra.actions) ? extra.actions.filter(isObject) : [];
    for (const action of actions)
      this.emit('tool_call', at, {
        toolName: action.name,
        toolCallId: text(action.tool_call_id) ?? undefined,
        arguments: action.arguments,
      });
  }

  private emit(type: string, timestamp: string | null, data: EventData): void {
    this.sink.event({ type, timestamp, data });
  }
}

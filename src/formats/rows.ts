import { OUTCOMES, type Outcome, type TrajectoryRow } from '../model/row.ts';
import type { TrajectorySink } from '../model/trajectory.ts';
import { list, map, object, type Shape, scalar, setMember } from '../parse/shape.ts';
import type { Layout, Reader, Recognise } from './format.ts';
import { finite, isObject, kindOf, name, type Obj, obj, text } from './values.ts';

/** What `trajstats metrics` prints, read back: so that pipes with jq in the middle work. */
export const rows: Layout = {
  format: 'rows',
  framing: 'lines',
  shape: () => ROW,
  reader: (sink) => new RowsReader(sink),
};

const scalars = (...names: string[]): Shape => object(Object.fromEntries(names.map((name) => [name, scalar])));

const ROW: Shape = object({
  type: scalar,
  schema: scalar,
  format: scalar,
  source: scalars('path', 'line', 'index'),
  id: scalar,
  task: scalar,
  trial: scalar,
  model: scalar,
  variant: scalar,
  executor: scalar,
  status: scalar,
  outcome: scalar,
  scores: map(scalar),
  startedAt: scalar,
  completedAt: scalar,
  metrics: object({
    tokenUsage: object({
      inputTokens: scalar,
      outputTokens: scalar,
      totalTokens: scalar,
      cacheReadTokens: scalar,
      cacheWriteTokens: scalar,
      callCount: scalar,
      byModel: map(scalars('inputTokens', 'outputTokens', 'callCount')),
    }),
    toolCallCount: scalar,
    toolCallBreakdown: map(scalar),
    skillActivationCount: scalar,
    skillActivationBreakdown: map(scalar),
    turnCount: scalar,
    wallTimeMs: scalar,
    errorCount: scalar,
  }),
  costUsd: scalar,
  tools: map(object({ calls: scalar, errors: scalar, unanswered: scalar, latencyMs: list(scalar) })),
  errors: map(scalar),
  graders: map(scalars('passed', 'failed')),
  judge: scalars('inputTokens', 'outputTokens', 'latencyMs'),
  time: scalars('llmMs', 'toolMs', 'otherMs'),
  messages: scalars('system', 'user', 'assistant', 'tool'),
  patch: scalars('bytes', 'files', 'added', 'removed'),
  recorded: map(scalar),
  cutTexts: scalar,
});

export const recogniseRows: Recognise = (sample) =>
  isObject(sample) && sample.type === 'trajectory-metrics' ? rows : null;

class RowsReader implements Reader {
  constructor(private readonly sink: TrajectorySink) {}

  item(): void {}

  record(value: unknown): void {
    if (!isObject(value)) this.sink.refuse(`expected a row (an object), got ${kindOf(value)}`);
    else if (value.type !== 'trajectory-metrics') this.sink.skip(name(value.type) ?? '(no type)');
    else {
      const row = rowOf(value);
      if (typeof row === 'string') this.sink.refuse(row);
      else this.sink.row(row);
    }
  }

  abandon(): void {}
}

/** The row, with what a filter took away put back as missing; or what is wrong with it. */
function rowOf(value: Obj): TrajectoryRow | string {
  if (value.schema !== 1) return `a row of schema ${JSON.stringify(value.schema)}, expected 1`;
  const outcome = OUTCOMES.find((known) => known === value.outcome);
  if (!outcome) return `a row with the outcome ${JSON.stringify(value.outcome)?.slice(0, 40)}`;
  const metrics = obj(value.metrics);
  const time = obj(value.time);
  const messages = obj(value.messages);
  const judge = isObject(value.judge) ? value.judge : null;
  const patch = isObject(value.patch) ? value.patch : null;
  const source = obj(value.source);
  return {
    type: 'trajectory-metrics',
    schema: 1,
    format: (text(value.format) ?? 'vally') as TrajectoryRow['format'],
    source: { path: text(source.path) ?? '-', line: finite(source.line), index: finite(source.index) },
    id: text(value.id),
    task: text(value.task),
    trial: finite(value.trial),
    model: text(value.model),
    variant: text(value.variant),
    executor: text(value.executor),
    status: text(value.status),
    outcome: outcome as Outcome,
    scores: numbersIn(value.scores),
    startedAt: text(value.startedAt),
    completedAt: text(value.completedAt),
    metrics: {
      tokenUsage: isObject(metrics.tokenUsage) ? usageOf(metrics.tokenUsage) : null,
      toolCallCount: finite(metrics.toolCallCount),
      toolCallBreakdown: numbersIn(metrics.toolCallBreakdown),
      skillActivationCount: finite(metrics.skillActivationCount),
      skillActivationBreakdown: numbersIn(metrics.skillActivationBreakdown),
      turnCount: finite(metrics.turnCount),
      wallTimeMs: finite(metrics.wallTimeMs),
      errorCount: finite(metrics.errorCount),
    },
    costUsd: finite(value.costUsd),
    tools: members(value.tools, (use) => ({
      calls: finite(use.calls) ?? 0,
      errors: finite(use.errors) ?? 0,
      unanswered: finite(use.unanswered) ?? 0,
      latencyMs: Array.isArray(use.latencyMs) ? use.latencyMs.filter((ms) => finite(ms) !== null) : [],
    })),
    errors: numbersIn(value.errors),
    graders: members(value.graders, (grades) => ({
      passed: finite(grades.passed) ?? 0,
      failed: finite(grades.failed) ?? 0,
    })),
    judge: judge && {
      inputTokens: finite(judge.inputTokens) ?? 0,
      outputTokens: finite(judge.outputTokens) ?? 0,
      latencyMs: finite(judge.latencyMs) ?? 0,
    },
    time: { llmMs: finite(time.llmMs), toolMs: finite(time.toolMs), otherMs: finite(time.otherMs) },
    messages: {
      system: finite(messages.system) ?? 0,
      user: finite(messages.user) ?? 0,
      assistant: finite(messages.assistant) ?? 0,
      tool: finite(messages.tool) ?? 0,
    },
    patch: patch && {
      bytes: finite(patch.bytes) ?? 0,
      files: finite(patch.files) ?? 0,
      added: finite(patch.added) ?? 0,
      removed: finite(patch.removed) ?? 0,
    },
    recorded: numbersIn(value.recorded),
    ...(finite(value.cutTexts) === null ? {} : { cutTexts: finite(value.cutTexts) as number }),
  };
}

function usageOf(usage: Obj): TrajectoryRow['metrics']['tokenUsage'] {
  return {
    inputTokens: finite(usage.inputTokens) ?? 0,
    outputTokens: finite(usage.outputTokens) ?? 0,
    totalTokens: finite(usage.totalTokens) ?? 0,
    cacheReadTokens: finite(usage.cacheReadTokens) ?? 0,
    cacheWriteTokens: finite(usage.cacheWriteTokens) ?? 0,
    callCount: finite(usage.callCount) ?? 0,
    byModel: members(usage.byModel, (model) => ({
      inputTokens: finite(model.inputTokens) ?? 0,
      outputTokens: finite(model.outputTokens) ?? 0,
      callCount: finite(model.callCount) ?? 0,
    })),
  };
}

function members<T>(value: unknown, read: (member: Obj) => T): Record<string, T> {
  const source = obj(value);
  const found: Record<string, T> = {};
  for (const key of Object.keys(source)) setMember(found, key, read(obj(source[key])));
  return found;
}

function numbersIn(value: unknown): Record<string, number> {
  const source = obj(value);
  const found: Record<string, number> = {};
  for (const key of Object.keys(source)) {
    const number = finite(source[key]);
    if (number !== null) setMember(found, key, number);
  }
  return found;
}

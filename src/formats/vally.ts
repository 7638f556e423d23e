import type { EventDigest } from '../model/digest.ts';
import type { TrajectoryEvent } from '../model/event.ts';
import type { Grades, JudgeSpend, Outcome } from '../model/row.ts';
import type { TrajectoryHead, TrajectorySink } from '../model/trajectory.ts';
import { digested, list, object, type Shape, scalar, streamed, time, whole } from '../parse/shape.ts';
import { type Detail, type Layout, perDetail, type Reader, type Recognise } from './format.ts';
import { copyNumbers, finite, isObject, kindOf, name, type Obj, obj, text } from './values.ts';

/** `results.jsonl`: one record a line, trial results and summaries, in any order and with their keys in any order. */
export const vally: Layout = {
  format: 'vally',
  framing: 'lines',
  shape: perDetail((detail) => recordShape(detail)),
  reader: (sink) => new VallyReader(sink),
};

const RECORD_TYPES = ['trial-result', 'run-summary', 'experiment-run-summary', 'comparison'];

/** What a trajectory may begin with; what comes first may be longer than what is looked at. */
const TRAJECTORY_KEYS = ['events', 'stimulus', 'output', 'workDir', 'endReason', 'metadata', 'metrics'];

export const recogniseVally: Recognise = (sample) => {
  if (!isObject(sample)) return null;
  if (typeof sample.type === 'string') return RECORD_TYPES.includes(sample.type) ? vally : null;
  // Legacy lines have no type. Where a type may still come, what stands before it must be enough.
  if ('gradeResult' in sample || 'evalName' in sample) return vally;
  const { trajectory } = sample;
  if (isObject(trajectory)) return TRAJECTORY_KEYS.some((key) => key in trajectory) ? vally : null;
  return trajectory === null && 'status' in sample ? vally : null;
};

const EVENT: Shape = object({
  type: scalar,
  timestamp: time,
  data: object({
    toolName: scalar,
    toolCallId: scalar,
    success: scalar,
    inputTokens: scalar,
    outputTokens: scalar,
    cacheReadTokens: scalar,
    cacheWriteTokens: scalar,
    model: scalar,
    turnId: scalar,
    name: scalar,
    type: scalar,
  }),
});

const JUDGED: Shape = object({
  token_usage: object({ inputTokens: scalar, outputTokens: scalar }),
  latency_ms: scalar,
});

/** Details nest; eight levels are more than anybody grades with, and a bound that a hostile log cannot pass. */
const GRADE: Shape = object({ ...gradeShape(8).fields, score: scalar });

function gradeShape(levels: number): Shape {
  return object({
    name: scalar,
    passed: scalar,
    metadata: JUDGED,
    ...(levels > 0 ? { details: list(gradeShape(levels - 1)) } : {}),
  });
}

/** The log's own metrics: a row shows them beside ours, and a report asks only whether the model was called. */
const CALLS: Shape = object({ tokenUsage: object({ callCount: scalar }) });
const METRICS: Shape = object({
  tokenUsage: object({
    inputTokens: scalar,
    outputTokens: scalar,
    totalTokens: scalar,
    cacheReadTokens: scalar,
    cacheWriteTokens: scalar,
    callCount: scalar,
  }),
  toolCallCount: scalar,
  skillActivationCount: scalar,
  turnCount: scalar,
  wallTimeMs: scalar,
  errorCount: scalar,
});

function recordShape(detail: Detail): Shape {
  return object({
    type: scalar,
    stimulus: scalar,
    variant: scalar,
    model: scalar,
    trialIndex: scalar,
    status: scalar,
    ...(detail === 'metrics' ? { durationMs: scalar } : {}),
    error: object({ message: scalar }),
    gradeResult: GRADE,
    trajectory: object({
      events: detail === 'events' ? streamed('event', whole) : digested('event', EVENT),
      id: scalar,
      stimulus: object({ name: scalar }),
      endReason: scalar,
      metadata: object({ model: scalar, executor: scalar, startedAt: time, completedAt: time }),
      metrics: detail === 'metrics' ? METRICS : CALLS,
    }),
  });
}

class VallyReader implements Reader {
  private oddEvents = 0;

  constructor(private readonly sink: TrajectorySink) {}

  item(_stream: string, value: unknown): void {
    if (!isObject(value) || typeof value.type !== 'string') {
      this.oddEvents++;
      return;
    }
    if (typeof value.timestamp !== 'string' && typeof value.timestamp !== 'number') value.timestamp = null;
    if (!isObject(value.data)) value.data = {};
    this.sink.event(value as unknown as TrajectoryEvent);
  }

  digest(digest: EventDigest): void {
    this.sink.digest(digest);
  }

  record(value: unknown): void {
    const { oddEvents } = this;
    this.oddEvents = 0;
    if (!isObject(value)) {
      this.sink.abandon();
      this.sink.refuse(`expected an object, got ${kindOf(value)}`);
    } else if (isTrialResult(value)) {
      if (oddEvents > 0) this.sink.warn(`${oddEvents} of its events are not objects with a type, and were left out`);
      this.sink.end(trialHead(value));
    } else {
      this.sink.abandon();
      this.sink.skip(name(value.type) ?? '(no type)');
    }
  }

  abandon(): void {
    this.oddEvents = 0;
    this.sink.abandon();
  }
}

function isTrialResult(record: Obj): boolean {
  if (record.type !== undefined) return record.type === 'trial-result';
  return 'trajectory' in record || 'gradeResult' in record;
}

function trialHead(record: Obj): TrajectoryHead {
  const hasTrajectory = isObject(record.trajectory);
  const trajectory = obj(record.trajectory);
  const metadata = obj(trajectory.metadata);
  const startedAt = finite(metadata.startedAt);
  const completedAt = finite(metadata.completedAt);
  const known = startedAt !== null && completedAt !== null && completedAt >= startedAt;
  const grade = isObject(record.gradeResult) ? record.gradeResult : null;
  const score = finite(grade?.score);
  return {
    format: 'vally',
    id: name(trajectory.id),
    task: name(record.stimulus, obj(trajectory.stimulus).name),
    trial: finite(record.trialIndex),
    model: text(record.model, metadata.model),
    variant: name(record.variant),
    executor: name(metadata.executor),
    status: name(record.status),
    outcome: outcomeOf(record, trajectory, hasTrajectory, grade),
    scores: score === null ? {} : { score },
    hasTrajectory,
    startedAt,
    completedAt,
    // The events are asked only where there is no metadata at all: with it, a missing time is a missing time.
    wallTimeMs: isObject(trajectory.metadata) ? (known ? completedAt - startedAt : null) : undefined,
    noModelCalls: obj(obj(trajectory.metrics).tokenUsage).callCount === 0,
    costUsd: null,
    graders: grade ? gradersOf(grade) : NO_GRADERS,
    judge: grade ? judgeSpend(grade) : null,
    patch: null,
    recorded: () => recordedMetrics(obj(trajectory.metrics), record),
  };
}

const TIMEOUT = /time(d)?[ _-]?out/i;

function outcomeOf(record: Obj, trajectory: Obj, hasTrajectory: boolean, grade: Obj | null): Outcome {
  if (record.status === 'skipped') return 'skipped';
  if (typeof grade?.passed === 'boolean') return grade.passed ? 'passed' : 'failed';
  if (record.status !== 'error' && hasTrajectory) return 'ungraded';
  const reasons = [trajectory.endReason, record.error, obj(record.error).message];
  return reasons.some((reason) => typeof reason === 'string' && TIMEOUT.test(reason)) ? 'timeout' : 'error';
}

const USAGE_NAMES = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'callCount',
] as const;
const COUNT_NAMES = ['toolCallCount', 'skillActivationCount', 'turnCount', 'wallTimeMs', 'errorCount'] as const;

function recordedMetrics(metrics: Obj, record: Obj): Record<string, number> {
  const recorded: Record<string, number> = {};
  copyNumbers(recorded, obj(metrics.tokenUsage), USAGE_NAMES);
  copyNumbers(recorded, metrics, COUNT_NAMES);
  copyNumbers(recorded, record, ['durationMs']);
  return recorded;
}

const NO_GRADERS: ReadonlyMap<string, Grades> = new Map();

/** Every grader below the top one, which only sums them up; the top one itself if it stands alone. */
function gradersOf(grade: Obj): ReadonlyMap<string, Grades> {
  const graders = new Map<string, Grades>();
  if (!addDetails(graders, grade)) addGrader(graders, grade);
  return graders;
}

function addGrader(graders: Map<string, Grades>, node: Obj): void {
  if (typeof node.passed === 'boolean') {
    const grader = name(node.name) ?? '(unknown)';
    let grades = graders.get(grader);
    if (!grades) {
      grades = { passed: 0, failed: 0 };
      graders.set(grader, grades);
    }
    if (node.passed) grades.passed++;
    else grades.failed++;
  }
  addDetails(graders, node);
}

/** Whether there were any. */
function addDetails(graders: Map<string, Grades>, { details }: Obj): boolean {
  let any = false;
  if (Array.isArray(details))
    for (const detail of details)
      if (isObject(detail)) {
        addGrader(graders, detail);
        any = true;
      }
  return any;
}

/** What the judges spent, from the finest graders that say so: one that sums up its details must not count twice. */
function judgeSpend(grade: Obj): JudgeSpend | null {
  let total: JudgeSpend | null = null;
  if (Array.isArray(grade.details))
    for (const detail of grade.details) {
      const spend = isObject(detail) ? judgeSpend(detail) : null;
      if (spend) total = total ? addSpend(total, spend) : spend;
    }
  if (total) return total;
  const metadata = obj(grade.metadata);
  const usage = isObject(metadata.token_usage) ? metadata.token_usage : null;
  const latency = finite(metadata.latency_ms);
  if (!usage && latency === null) return null;
  return {
    inputTokens: finite(usage?.inputTokens) ?? 0,
    outputTokens: finite(usage?.outputTokens) ?? 0,
    latencyMs: latency ?? 0,
  };
}

function addSpend(a: JudgeSpend, b: JudgeSpend): JudgeSpend {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    latencyMs: a.latencyMs + b.latencyMs,
  };
}

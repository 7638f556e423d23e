import type { Outcome } from '../model/row.ts';
import type { TrajectoryHead } from '../model/trajectory.ts';
import { finite, isObject, name, numbers, type Obj, obj, text } from './values.ts';

/** What the files of one run say; each of them may be missing. */
export interface RunParts {
  name: string | null;
  info?: Obj;
  /** The run's entry in `summary.json`. */
  summary?: Obj;
  trajectory?: { steps: number; messageCosts: number | null };
}

/** One run is one trajectory, whatever part of its files is there. */
export function runHead(run: RunParts): TrajectoryHead {
  const info = obj(run.info);
  const summary = obj(run.summary);
  const config = obj(info.config);
  const costs = obj(info.cost_stats);
  const usage = obj(info.token_usage);
  const id = name(summary.task_id, summary.run_id, run.name);
  const exit = name(info.exit_status);
  const listed = name(summary.status);
  const brier = brierScore(info.evaluation) ?? brierScore(summary.evaluation);
  return {
    format: 'forecast',
    id,
    task: id,
    trial: null,
    model: named(config.model, 'model_name', 'name'),
    variant: null,
    executor: named(config.agent, 'name', 'agent_class'),
    status: exit ?? listed,
    outcome: outcomeOf(listed ?? exit),
    scores: brier === null ? {} : { brier },
    hasTrajectory: run.trajectory !== undefined,
    ...(run.trajectory ? { turnCount: run.trajectory.steps } : {}),
    costUsd: finite(costs.total_cost, run.trajectory?.messageCosts, obj(summary.cost).total, summary.cost),
    graders: {},
    judge: null,
    patch: null,
    recorded: () =>
      numbers([
        ['costUsd', finite(costs.total_cost)],
        ['callCount', finite(costs.n_api_calls)],
        // `prompt_tokens` here are those of the last call only; the totals are what can be compared.
        ['inputTokens', finite(usage.total_prompt_tokens)],
        ['outputTokens', finite(usage.total_completion_tokens)],
      ]),
  };
}

export function modelOf(info: Obj | undefined): string | null {
  return named(obj(obj(info).config).model, 'model_name', 'name');
}

function named(value: unknown, ...keys: string[]): string | null {
  return text(value, ...keys.map((key) => obj(value)[key]));
}

function brierScore(evaluation: unknown): number | null {
  const parts = obj(evaluation);
  return finite(evaluation, parts.brier, parts.brier_score, parts.score);
}

/** The statuses that are no errors; whatever else stands there is the name of what went wrong. */
function outcomeOf(status: string | null): Outcome {
  switch (status) {
    case null:
    case 'submitted':
    case 'Submitted':
      return 'ungraded';
    case 'BatchRunTimeoutError':
      return 'timeout';
    case 'skipped_cost_limit':
    case 'pending':
      return 'skipped';
    default:
      return 'error';
  }
}

/** The runs that a summary lists. */
export function summaryRuns(summary: unknown): Obj[] {
  const { runs } = obj(summary);
  return Array.isArray(runs) ? runs.filter(isObject) : [];
}

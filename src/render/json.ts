import type { Distribution, Group, InputAccount, Rate, Report } from '../model/report.ts';
import { OUTCOMES } from '../model/row.ts';
import { inertJson } from './escape.ts';
import { compareText, distributionEntries } from './view.ts';

/**
 * The report as strict JSON, in the order of the contract. The order is set here and not left to whoever built the
 * report, so equal reports are equal bytes.
 */
export function renderJson(report: Report): string {
  const { type, schema, version, input, by, total, groups } = report;
  const ordered = { type, schema, version, input: account(input), by, total: group(total), groups: groups.map(group) };
  return `${inertJson(ordered, 2)}\n`;
}

function account(input: InputAccount): InputAccount {
  const { files, bytes, lines, good, bad, blank, trajectories, skipped, duplicates, truncatedTails, problems } = input;
  return {
    files,
    bytes,
    lines,
    good,
    bad,
    blank,
    trajectories,
    skipped: sorted(skipped, (count) => count),
    duplicates,
    truncatedTails,
    problems: problems.map(({ path, line, message }) => ({ path, line, message })),
  };
}

function group(source: Group): Group {
  return {
    key: source.key,
    trajectories: source.trajectories,
    tasks: source.tasks,
    outcomes: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, source.outcomes[outcome]])) as Group['outcomes'],
    passRate: rate(source.passRate),
    strictPassRate: rate(source.strictPassRate),
    passAtK: source.passAtK,
    passHatK: source.passHatK,
    distributions: Object.fromEntries(distributionEntries(source).map(([name, value]) => [name, distribution(value)])),
    tokensByModel: sorted(source.tokensByModel, ({ inputTokens, outputTokens, callCount }) => ({
      inputTokens,
      outputTokens,
      callCount,
    })),
    tools: source.tools.map(({ name, calls, errors, errorRate, unanswered, latencyMs }) => ({
      name,
      calls,
      errors,
      errorRate,
      unanswered,
      latencyMs: distribution(latencyMs),
    })),
    skills: source.skills.map(({ name, activations, trajectories }) => ({ name, activations, trajectories })),
    errors: source.errors.map(({ type, count }) => ({ type, count })),
    graders: source.graders.map(({ name, passed, failed }) => ({ name, passed, failed })),
    statuses: source.statuses.map(({ status, count }) => ({ status, count })),
    judge: source.judge && {
      inputTokens: source.judge.inputTokens,
      outputTokens: source.judge.outputTokens,
      latencyMs: source.judge.latencyMs,
    },
    flaky: source.flaky.map(({ task, passed, failed }) => ({ task, passed, failed })),
    costPerPass: source.costPerPass,
    slowest: source.slowest.map(reference),
    costliest: source.costliest.map(reference),
    // Left out by JSON where nothing was capped.
    capped: source.capped,
  };
}

function rate(source: Rate | null): Rate | null {
  if (source === null) return null;
  const { value, n, low, high, standardError, clusters, method } = source;
  return { value, n, low, high, standardError, clusters, method };
}

function distribution(source: Distribution): Distribution {
  const { count, missing, sum, mean, sd, min, p50, p90, p95, p99, max, exact } = source;
  return { count, missing, sum, mean, sd, min, p50, p90, p95, p99, max, exact };
}

function reference({ path, line, index, id, task, model, value }: Group['slowest'][number]) {
  return { path, line, index, id, task, model, value };
}

/** `Object.fromEntries` defines keys and does not set them, so a name `__proto__` is a name. */
function sorted<T, U>(map: Record<string, T>, value: (item: T) => U): Record<string, U> {
  return Object.fromEntries(
    Object.entries(map)
      .sort(([a], [b]) => compareText(a, b))
      .map(([key, item]) => [key, value(item)]),
  );
}

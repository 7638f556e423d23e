/** The library: everything that the commands do, without the command line. */

export { DIMENSIONS, type Dimension } from './aggregate/dimension.ts';
export { reportFold } from './aggregate/report.ts';
export { matches, parseWhere, type Where } from './aggregate/where.ts';
export { aggregate, type Options, readEventLines, readReport, readRows } from './api.ts';
export { type Fold, foldAll, groupBy, prefilter, premap, struct } from './fold/fold.ts';
export { trajectoryMetrics } from './metrics/trajectory.ts';
export type { TrajectoryEvent } from './model/event.ts';
export type { TokenUsage, TrajectoryMetrics } from './model/metrics.ts';
export type { Problem } from './model/problem.ts';
export type { Distribution, Group, InputAccount, Rate, Report } from './model/report.ts';
export type { Outcome, TrajectoryRow } from './model/row.ts';
export type { Reading } from './pipeline.ts';
export { VERSION } from './version.ts';

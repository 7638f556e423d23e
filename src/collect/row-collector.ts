import { reportRow, trajectoryRow } from '../metrics/row.ts';
import { type TrajectoryResult, trajectoryMetrics } from '../metrics/trajectory.ts';
import type { EventDigest } from '../model/digest.ts';
import type { TrajectoryEvent } from '../model/event.ts';
import type { ReportRow } from '../model/report-row.ts';
import type { Source, TrajectoryRow } from '../model/row.ts';
import type { TrajectoryHead } from '../model/trajectory.ts';
import { type Collector, type Elsewhere, joinHeads } from './collector.ts';

type MakeRow<T> = (head: TrajectoryHead, folded: TrajectoryResult, source: Source) => T;

/** Rows as they are printed. */
export const printedRows = () => new RowCollector<TrajectoryRow>(trajectoryRow);
/** Only what a report needs of them. */
export const reportRows = () => new RowCollector<ReportRow>(reportRow);

/** Folds the events of each trajectory as they come, and makes a row of it when it ends. */
class RowCollector<T extends ReportRow> implements Collector<T> {
  source: Source = { path: '-', line: null, index: null };
  notes: string[] = [];
  cutTexts = 0;
  private state = trajectoryMetrics.init();
  private batch: (T | Elsewhere)[] = [];

  constructor(private readonly makeRow: MakeRow<T>) {}

  event(event: TrajectoryEvent): void {
    this.state = trajectoryMetrics.step(this.state, event);
  }

  digest(digest: EventDigest): void {
    this.state = trajectoryMetrics.absorb(this.state, digest);
  }

  end(head: TrajectoryHead, index?: number): void {
    const folded = trajectoryMetrics.done(this.state);
    const { invalid } = folded.tokens;
    if (invalid > 0) this.notes.push(`${invalid} token counts are not numbers of tokens, and were left out`);
    const source = index === undefined ? this.source : { ...this.source, index };
    const row = this.makeRow(head, folded, source);
    this.batch.push(this.cutTexts > 0 ? { ...row, cutTexts: this.cutTexts } : row);
    this.abandon();
  }

  endElsewhere(head: TrajectoryHead, path: string): void {
    this.batch.push({ head, path, source: this.source });
    this.abandon();
  }

  complete(elsewhere: Elsewhere, found: TrajectoryHead): void {
    this.source = elsewhere.source;
    this.end(joinHeads(elsewhere.head, found));
  }

  row(row: TrajectoryRow): void {
    // A row from a log of rows is all that a report needs, and more.
    this.batch.push(row as ReportRow as T);
  }

  abandon(): void {
    this.state = trajectoryMetrics.init();
  }

  take(): (T | Elsewhere)[] {
    const { batch } = this;
    this.batch = [];
    return batch;
  }
}

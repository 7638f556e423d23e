import { trajectoryRow } from '../metrics/row.ts';
import { trajectoryMetrics } from '../metrics/trajectory.ts';
import type { TrajectoryEvent } from '../model/event.ts';
import type { Source, TrajectoryRow } from '../model/row.ts';
import type { TrajectoryHead } from '../model/trajectory.ts';
import { type Collector, type Elsewhere, joinHeads } from './collector.ts';

/** Folds the events of each trajectory as they come, and makes a row of it when it ends. */
export class RowCollector implements Collector<TrajectoryRow> {
  source: Source = { path: '-', line: null, index: null };
  notes: string[] = [];
  cutTexts = 0;
  private state = trajectoryMetrics.init();
  private batch: (TrajectoryRow | Elsewhere)[] = [];

  event(event: TrajectoryEvent): void {
    this.state = trajectoryMetrics.step(this.state, event);
  }

  end(head: TrajectoryHead, index?: number): void {
    const folded = trajectoryMetrics.done(this.state);
    const { invalid } = folded.tokens;
    if (invalid > 0) this.notes.push(`${invalid} token counts are not numbers of tokens, and were left out`);
    const source = index === undefined ? this.source : { ...this.source, index };
    const row = trajectoryRow(head, folded, source);
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
    this.batch.push(row);
  }

  abandon(): void {
    this.state = trajectoryMetrics.init();
  }

  take(): (TrajectoryRow | Elsewhere)[] {
    const { batch } = this;
    this.batch = [];
    return batch;
  }
}

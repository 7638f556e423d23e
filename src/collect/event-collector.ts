import type { TrajectoryEvent } from '../model/event.ts';
import type { Source } from '../model/row.ts';
import type { TrajectoryHead } from '../model/trajectory.ts';
import { Spool } from '../read/spool.ts';
import { type Collector, type Elsewhere, joinHeads } from './collector.ts';

/** The events of one trajectory as lines of JSON, each with the trajectory that it belongs to. */
export class EventLines {
  constructor(
    private readonly prefix: string,
    private readonly spool: Spool,
  ) {}

  *batches(): Generator<string[]> {
    for (const lines of this.spool.drain()) yield lines.map((line) => this.prefix + line.slice(1));
  }
}

/** Holds back the events of a trajectory until its id is known: in real logs it stands behind them. */
export class EventCollector implements Collector<EventLines> {
  source: Source = { path: '-', line: null, index: null };
  notes: string[] = [];
  cutTexts = 0;
  private spool = new Spool();
  private batch: (EventLines | Elsewhere)[] = [];

  event(event: TrajectoryEvent): void {
    // What an event calls itself must not stand in for what we say of it.
    const { trajectoryId, source, ...own } = event as TrajectoryEvent & Record<string, unknown>;
    this.spool.add(JSON.stringify(own));
  }

  digest(): void {
    throw new Error('events that are to be printed are never digested');
  }

  end(head: TrajectoryHead, index?: number): void {
    const source = index === undefined ? this.source : { ...this.source, index };
    const identity = JSON.stringify({ trajectoryId: head.id, source });
    this.batch.push(new EventLines(`${identity.slice(0, -1)},`, this.spool));
    this.spool = new Spool();
  }

  endElsewhere(head: TrajectoryHead, path: string): void {
    this.batch.push({ head, path, source: this.source });
    this.abandon();
  }

  complete(elsewhere: Elsewhere, found: TrajectoryHead): void {
    this.source = elsewhere.source;
    this.end(joinHeads(elsewhere.head, found));
  }

  row(): void {
    this.notes.push('a row holds no events');
  }

  abandon(): void {
    this.spool.clear();
  }

  take(): (EventLines | Elsewhere)[] {
    const { batch } = this;
    this.batch = [];
    return batch;
  }
}

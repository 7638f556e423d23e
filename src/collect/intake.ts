import type { Layout, Reader, ReaderContext } from '../formats/format.ts';
import type { TrajectoryHead, TrajectorySink } from '../model/trajectory.ts';
import type { RecordPlace, Sink } from '../parse/parser.ts';
import { type Account, addProblem, addSkipped } from '../read/account.ts';
import type { Collector } from './collector.ts';

/**
 * Stands between a parser and a reader, and keeps the account: every record is good or bad, every problem gets its
 * place.
 */
export class Intake implements Sink {
  private readonly reader: Reader;
  private readonly inLines: boolean;
  private place: RecordPlace = { line: 1, offset: 0, index: null };
  private refused: string | null = null;

  constructor(
    layout: Layout,
    private readonly path: string,
    private readonly account: Account,
    private readonly collector: Collector<unknown>,
    context: ReaderContext,
    end: (head: TrajectoryHead, index?: number) => void = (head, index) => collector.end(head, index),
  ) {
    this.inLines = layout.framing === 'lines';
    const sink: TrajectorySink = {
      event: (event) => collector.event(event),
      end: (head, index) => {
        account.trajectories++;
        end(head, index);
      },
      endElsewhere: (head, elsewhere) => collector.endElsewhere(head, elsewhere),
      row: (row) => {
        account.trajectories++;
        collector.row(row);
      },
      abandon: () => collector.abandon(),
      skip: (type) => addSkipped(account, type),
      refuse: (message) => {
        this.refused = message;
      },
      warn: (message) => this.collector.notes.push(message),
    };
    this.reader = layout.reader(sink, context);
  }

  item(stream: string, value: unknown): void {
    this.reader.item(stream, value);
  }

  record(value: unknown, place: RecordPlace, cut: number): void {
    this.place = place;
    this.refused = null;
    this.collector.source = { path: this.path, line: this.inLines ? place.line : null, index: place.index };
    this.reader.record(value);
    this.account.lines++;
    if (this.refused === null) this.account.good++;
    else {
      this.account.bad++;
      this.problem(this.refused);
    }
    if (cut > 0) this.problem(`${cut} long texts were cut; see --max-value-bytes`);
    for (const note of this.collector.notes.splice(0)) this.problem(note);
  }

  bad(message: string, place: RecordPlace): void {
    this.place = place;
    this.reader.abandon();
    this.collector.notes = [];
    this.account.lines++;
    this.account.bad++;
    this.problem(message);
  }

  blank(lines: number): void {
    this.account.lines += lines;
    this.account.blank += lines;
  }

  tail(bytes: number, place: RecordPlace): void {
    this.place = place;
    this.reader.abandon();
    this.collector.notes = [];
    this.account.truncatedTails++;
    this.problem(`cut off in the middle (${bytes} bytes of an unfinished record at the end)`);
  }

  private problem(message: string): void {
    const { line, index } = this.place;
    const where = index === null ? '' : `element ${index}: `;
    addProblem(this.account, { path: this.path, line: line || null, message: where + message });
  }
}

import type { Layout, Reader, ReaderContext } from '../formats/format.ts';
import type { EventDigest } from '../model/digest.ts';
import type { Problem } from '../model/problem.ts';
import type { TrajectoryHead, TrajectorySink } from '../model/trajectory.ts';
import type { RecordPlace, Sink } from '../parse/parser.ts';
import { type Account, addProblem, addSkipped } from '../read/account.ts';
import type { RawLines } from '../read/raw-lines.ts';
import type { Collector } from './collector.ts';
import type { Run } from './run.ts';

/** A line that holds the first bracket of a value and nothing else, as the fast parser tells of it. */
const OPENED_ALONE = /found the end of the line at column [23]$/;
const SEVERAL_LINES =
  '; it looks like one JSON value over several lines, and here every line is a value: `jq -c .` puts it on one';

/**
 * Stands between a parser and a reader, and keeps the account: every record is good or bad, every problem gets its
 * place.
 */
export class Intake implements Sink {
  private readonly reader: Reader;
  private readonly inLines: boolean;
  private place: RecordPlace = { line: 1, offset: 0, index: null };
  private refused: string | null = null;

  private readonly account: Account;

  constructor(
    private readonly run: Run,
    layout: Layout,
    private readonly path: string,
    private readonly raw: RawLines | null,
    private readonly collector: Collector<unknown>,
    context: ReaderContext,
    end: (head: TrajectoryHead, index?: number) => void = (head, index) => collector.end(head, index),
  ) {
    const { account } = run;
    this.account = account;
    this.inLines = layout.framing === 'lines';
    const sink: TrajectorySink = {
      event: (event) => collector.event(event),
      digest: (digest) => collector.digest(digest),
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

  digest(digest: EventDigest): void {
    this.reader.digest?.(digest);
  }

  record(value: unknown, place: RecordPlace, cut: number): void {
    this.place = place;
    this.refused = null;
    this.collector.source = { path: this.path, line: this.inLines ? place.line : null, index: place.index };
    this.collector.cutTexts = cut;
    this.reader.record(value);
    this.account.lines++;
    if (this.refused === null) this.account.good++;
    else {
      this.account.bad++;
      this.reject(this.refused);
    }
    if (cut > 0) this.problem(`${cut} long texts were cut; see --max-value-bytes`);
    if (this.collector.notes.length > 0) for (const note of this.collector.notes.splice(0)) this.problem(note);
  }

  bad(message: string, place: RecordPlace): void {
    this.place = place;
    this.reader.abandon();
    this.collector.notes = [];
    this.account.lines++;
    this.account.bad++;
    this.reject(this.inLines && OPENED_ALONE.test(message) ? message + SEVERAL_LINES : message);
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

  private reject(message: string): void {
    const problem = this.problem(message);
    if (this.raw) this.run.rejects.push({ ...problem, bytes: this.raw.at(this.place.offset) });
  }

  private problem(message: string): Problem {
    const { line, index } = this.place;
    const where = index === null ? '' : `element ${index}: `;
    const problem = { path: this.path, line, message: where + message };
    addProblem(this.account, problem);
    return problem;
  }
}

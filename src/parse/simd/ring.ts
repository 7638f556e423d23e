import type { Framing } from '../parser.ts';
import { NAME_SIZE, NAME_SLOTS } from './codes.ts';
import { type Engine, knownValues, type Scanned, type Slicer } from './engine.ts';
import type { ItemForm } from './items.ts';

/**
 * Tapes on their way from the thread that scans to the one that walks them, in memory that both see: how far each of them
 * is, the table of names, and a ring of parcels, one after the other. A parcel is a head, a tape, and the texts that the
 * tape points to; it lies in one piece, so where it would not fit before the end, the ring begins anew.
 */
const RING_BYTES = 1 << 24;
/** How far each is, in units that a head fits into; these numbers may overflow, since only their difference counts. */
const UNIT = 32;
const PRODUCED = 0;
const CONSUMED = 1;
const STOPPED = 2;
const CONTROL_NUMBERS = 3;
const NAMES_START = 64;
const RING_START = NAMES_START + NAME_SLOTS * NAME_SIZE;

/** Bytes read (a double), then lengths of tape, of texts, and of the parcel, and its kind. */
const HEAD_BYTES = 32;
const TAPE_LENGTH = 2;
const TEXT_LENGTH = 3;
const PARCEL_LENGTH = 4;
const KIND = 5;
const KIND_MORE = 0;
const KIND_END = 1;
/** The last one, whose text says why there are no more. */
const KIND_FAILED = 2;
/** Nothing: the ring begins anew. */
const KIND_GAP = 3;

/** How long the walker waits before it lets others go first, such as news of the scanner's death. */
const PATIENCE_MS = 50;

/** What a thread is to scan. The shape is given as its tables. */
export interface ScanJob {
  ring: SharedArrayBuffer;
  path: string;
  /** Where to begin. */
  from: number;
  framing: Framing;
  maxValueBytes: number;
  image: Uint8Array;
  root: number;
  records: number;
}

export function makeRing(): SharedArrayBuffer {
  return new SharedArrayBuffer(RING_START + RING_BYTES);
}

const placeOf = (units: number) => RING_START + ((units * UNIT) & (RING_BYTES - 1));

/** The end of the ring that the scanning thread fills. */
export class RingWriter {
  private readonly control: Int32Array;
  private readonly bytes: Uint8Array;
  private readonly words: Uint32Array;
  private readonly doubles: Float64Array;
  private produced = 0;
  private names = 0;

  constructor(
    ring: SharedArrayBuffer,
    private readonly engine: Engine,
  ) {
    this.control = new Int32Array(ring, 0, CONTROL_NUMBERS);
    this.bytes = new Uint8Array(ring);
    this.words = new Uint32Array(ring);
    this.doubles = new Float64Array(ring);
  }

  /** Hands the scanner's tape over, as soon as there is room for it; false if nobody wants it any more. */
  put(bytesRead: number): boolean {
    const { engine, bytes } = this;
    const { scanner } = engine;
    const tapeLength = scanner.tapeEnd() - engine.tape;
    const at = this.makeRoom(HEAD_BYTES + tapeLength + scanner.textsOnTape());
    if (at === null) return false;
    const texts = at + HEAD_BYTES + tapeLength;
    const textLength = scanner.packTape(texts);
    const pack = scanner.packAddress();
    bytes.set(engine.bytes.subarray(engine.tape, engine.tape + tapeLength), at + HEAD_BYTES);
    bytes.set(engine.bytes.subarray(pack, pack + textLength), texts);
    const names = scanner.namesKnown();
    if (names !== this.names) {
      this.names = names;
      bytes.set(engine.bytes.subarray(engine.names, engine.names + NAME_SLOTS * NAME_SIZE), NAMES_START);
    }
    this.send(at, bytesRead, tapeLength, textLength, KIND_MORE);
    return true;
  }

  /** There are no more; or there are, and cannot be had, for this reason. */
  end(failure: string | null): void {
    const text = Buffer.from(failure ?? '').subarray(0, 4096);
    const at = this.makeRoom(HEAD_BYTES + text.length);
    if (at === null) return;
    this.bytes.set(text, at + HEAD_BYTES);
    this.send(at, 0, 0, text.length, failure === null ? KIND_END : KIND_FAILED);
  }

  /** Waits for so much room in one piece, and gives its address; null if nobody wants it any more. */
  private makeRoom(size: number): number | null {
    const at = placeOf(this.produced);
    const before = RING_START + RING_BYTES - at;
    if (size <= before) return this.waitFor(size) ? at : null;
    if (!this.waitFor(before)) return null;
    this.send(at, 0, before - HEAD_BYTES, 0, KIND_GAP);
    return this.waitFor(size) ? RING_START : null;
  }

  private waitFor(size: number): boolean {
    const { control } = this;
    for (;;) {
      const consumed = Atomics.load(control, CONSUMED);
      if (Atomics.load(control, STOPPED) !== 0) return false;
      if (((this.produced - consumed) | 0) * UNIT + size + UNIT <= RING_BYTES) return true;
      Atomics.wait(control, CONSUMED, consumed);
    }
  }

  private send(at: number, bytesRead: number, tapeLength: number, textLength: number, kind: number): void {
    const units = Math.ceil((HEAD_BYTES + tapeLength + textLength) / UNIT);
    const word = at / 4;
    this.doubles[at / 8] = bytesRead;
    this.words[word + TAPE_LENGTH] = tapeLength;
    this.words[word + TEXT_LENGTH] = textLength;
    this.words[word + PARCEL_LENGTH] = units;
    this.words[word + KIND] = kind;
    this.produced = (this.produced + units) | 0;
    Atomics.store(this.control, PRODUCED, this.produced);
    Atomics.notify(this.control, PRODUCED);
  }
}

/** The other end: a tape to walk, and then the next one. */
export class RingReader implements Scanned {
  readonly names = NAMES_START;
  readonly bytes: Slicer;
  readonly words: Uint32Array;
  readonly doubles: Float64Array;
  readonly known = knownValues();
  readonly forms: (ItemForm | null)[] = [];
  tape = 0;
  tapeEnd = 0;
  bytesRead = 0;
  isLast = false;
  /** Why the file could not be read to its end, if so. */
  failure: string | null = null;
  private readonly control: Int32Array;
  private consumed = 0;
  private next = 0;

  constructor(ring: SharedArrayBuffer) {
    this.control = new Int32Array(ring, 0, CONTROL_NUMBERS);
    this.bytes = Buffer.from(ring) as unknown as Slicer;
    this.words = new Uint32Array(ring);
    this.doubles = new Float64Array(ring);
  }

  /** Waits a little for the next tape; false if there is none yet. */
  take(): boolean {
    for (;;) {
      const { control, consumed, words } = this;
      if (Atomics.load(control, PRODUCED) === consumed) Atomics.wait(control, PRODUCED, consumed, PATIENCE_MS);
      if (Atomics.load(control, PRODUCED) === consumed) return false;
      const at = placeOf(consumed);
      const word = at / 4;
      const kind = words[word + KIND];
      this.next = (consumed + words[word + PARCEL_LENGTH]) | 0;
      if (kind === KIND_GAP) {
        this.done();
        continue;
      }
      this.bytesRead = this.doubles[at / 8];
      this.tape = at + HEAD_BYTES;
      this.tapeEnd = this.tape + words[word + TAPE_LENGTH];
      this.isLast = kind !== KIND_MORE;
      if (kind === KIND_FAILED) this.failure = this.bytes.utf8Slice(this.tape, this.tape + words[word + TEXT_LENGTH]);
      return true;
    }
  }

  /** The tape has been walked. */
  done(): void {
    this.consumed = this.next;
    Atomics.store(this.control, CONSUMED, this.consumed);
    Atomics.notify(this.control, CONSUMED);
  }

  stop(): void {
    Atomics.store(this.control, STOPPED, 1);
    Atomics.notify(this.control, CONSUMED);
  }
}

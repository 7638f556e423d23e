import type { EventDigest } from '../../model/digest.ts';
import {
  NAME_NONE,
  NAME_SIZE,
  OP_ANSWER,
  OP_DIGEST,
  OP_ERROR,
  OP_MODEL,
  OP_OPEN_CALL,
  OP_OPEN_TURN,
  OP_SKILL,
  OP_TOOL,
  OP_TURN,
} from './codes.ts';
import type { Scanned } from './engine.ts';

const WORDS_PER_ENTRY = 4;

/** Reads digests off the tape; see assembly/digest.ts. */
export class DigestReader {
  private digest = emptyDigest();
  private complete = false;
  /** By number. */
  private readonly names: (string | undefined)[] = [];

  constructor(private readonly engine: Scanned) {}

  /** What was read of a digest that will not be completed, since its record is bad. */
  forget(): void {
    const { answers, turns } = this.digest;
    if (answers.length > 0 || turns.length > 0) this.digest = emptyDigest();
  }

  /** The digest that is complete, if one is. */
  take(): EventDigest | null {
    if (!this.complete) return null;
    const { digest } = this;
    this.complete = false;
    this.digest = emptyDigest();
    return digest;
  }

  /** Reads the entries from this word on, to the end of the digest, or to where something else stands in between. */
  read(at: number, end: number): number {
    const { words, doubles } = this.engine;
    const { digest } = this;
    while (at < end) {
      const head = words[at];
      const number = at >> 1;
      switch (head & 0xff) {
        case OP_ANSWER:
          digest.answers.push(words[at + 1], doubles[number + 2], doubles[number + 3], head >>> 8);
          at += 2 * WORDS_PER_ENTRY;
          break;
        case OP_TURN:
          digest.turns.push(doubles[number + 2], doubles[number + 3]);
          at += 2 * WORDS_PER_ENTRY;
          break;
        case OP_TOOL:
          digest.tools.push({ name: this.nameOf(words[at + 1]), calls: words[at + 2] });
          at += WORDS_PER_ENTRY;
          break;
        case OP_MODEL: {
          const name = this.nameOf(words[at + 1]);
          const inputTokens = doubles[number + 2];
          digest.models.push({ name, calls: words[at + 2], inputTokens, outputTokens: doubles[number + 3] });
          at += 2 * WORDS_PER_ENTRY;
          break;
        }
        case OP_SKILL:
          digest.skills.push({ name: this.nameOf(words[at + 1]), count: words[at + 2] });
          at += WORDS_PER_ENTRY;
          break;
        case OP_ERROR:
          digest.errors.push({ name: this.nameOf(words[at + 1]), count: words[at + 2] });
          at += WORDS_PER_ENTRY;
          break;
        case OP_OPEN_CALL:
          digest.openCalls.push({ id: this.textAt(at), tool: words[at + 3], at: orNull(doubles[number + 2]) });
          at += 2 * WORDS_PER_ENTRY;
          break;
        case OP_OPEN_TURN:
          digest.openTurns.push({ id: this.textAt(at), at: doubles[number + 2] });
          at += 2 * WORDS_PER_ENTRY;
          break;
        case OP_DIGEST:
          this.readSums(digest, words, doubles, at);
          this.complete = true;
          return at + 6 * WORDS_PER_ENTRY;
        default:
          return at;
      }
    }
    return at;
  }

  private readSums(digest: EventDigest, words: Uint32Array, doubles: Float64Array, at: number): void {
    const number = at >> 1;
    digest.modelCalls = words[at + 1];
    digest.turnEnds = words[at + 2];
    digest.first = orNull(doubles[number + 2]);
    digest.last = orNull(doubles[number + 3]);
    digest.inputTokens = doubles[number + 4];
    digest.outputTokens = doubles[number + 5];
    digest.cacheReadTokens = doubles[number + 6];
    digest.cacheWriteTokens = doubles[number + 7];
    digest.messages.system = doubles[number + 8];
    digest.messages.user = doubles[number + 9];
    digest.messages.assistant = doubles[number + 10];
    digest.messages.tool = doubles[number + 11];
  }

  private nameOf(number: number): string | null {
    if (number === NAME_NONE) return null;
    const known = this.names[number];
    if (known !== undefined) return known;
    const { bytes, names } = this.engine;
    const start = names + number * NAME_SIZE;
    const name = bytes.utf8Slice(start, start + bytes[start + NAME_SIZE - 1] - 1);
    this.names[number] = name;
    return name;
  }

  private textAt(at: number): string {
    const { words, bytes } = this.engine;
    return bytes.utf8Slice(words[at + 1], words[at + 1] + words[at + 2]);
  }
}

function orNull(time: number): number | null {
  return Number.isNaN(time) ? null : time;
}

function emptyDigest(): EventDigest {
  return {
    first: null,
    last: null,
    modelCalls: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    models: [],
    tools: [],
    answers: [],
    openCalls: [],
    turnEnds: 0,
    turns: [],
    openTurns: [],
    skills: [],
    errors: [],
    messages: { system: 0, user: 0, assistant: 0, tool: 0 },
  };
}

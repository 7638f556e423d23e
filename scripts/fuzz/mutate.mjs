import { gzipSync } from 'node:zlib';

const NEWLINE = 0x0a;

/** What bytes break: the borders of JSON, of lines, of UTF-8, and of what a parser takes for granted. */
const NASTY = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ':',
    '\n',
    '\r\n',
    '\0',
    '\ufeff',
    '\u2028',
    '\t',
    ' ',
    '-',
    '0',
    '1e400',
    '-0',
  ],
  ...[
    'null',
    'true',
    '""',
    '[]',
    '{}',
    '"__proto__":',
    '\\u0000',
    '\\ud800',
    '\\u',
    '9007199254740993',
    '/**/',
    '\x1b[31m',
  ],
  ...[
    '"type":"trial-result",',
    '"events":[],',
    '"trajectory":null,',
    '{"type":"run-summary"}\n',
    '[[[[[[[[',
    ']]]]]]]]',
  ],
].map((text) => Buffer.from(text));
const BAD_UTF8 = ['ff', 'c080', 'e28080e280', 'eda080', 'f4908080', '80', 'f0'].map((hex) => Buffer.from(hex, 'hex'));

const MUTATIONS = {
  flipBits(bytes, random) {
    const copy = Buffer.from(bytes);
    for (let n = random.below(4); n >= 0; n--) copy[random.below(copy.length)] ^= 1 << random.below(8);
    return copy;
  },
  remove(bytes, random) {
    const [from, to] = range(bytes.length, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  insert: (bytes, random) => splice(bytes, random.below(bytes.length + 1), random.pick([...NASTY, ...BAD_UTF8])),
  duplicate(bytes, random) {
    const [from, to] = range(bytes.length, random);
    return splice(bytes, to, bytes.subarray(from, to));
  },
  move(bytes, random) {
    const [from, to] = range(bytes.length, random);
    const rest = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    return splice(rest, random.below(rest.length + 1), bytes.subarray(from, to));
  },
  cutOff: (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  loseStart: (bytes, random) => bytes.subarray(random.below(bytes.length)),
  hole(bytes, random) {
    const copy = Buffer.from(bytes);
    return copy.fill(0, ...range(bytes.length, random));
  },
  /** As after `cat`, or two writers at once. */
  otherLog: (bytes, random, other) =>
    splice(bytes, random.below(bytes.length + 1), other.subarray(...range(other.length, random))),
  swapLines(bytes, random) {
    const lines = linesOf(bytes);
    const [a, b] = [random.below(lines.length), random.below(lines.length)];
    [lines[a], lines[b]] = [lines[b], lines[a]];
    return Buffer.concat(lines);
  },
  repeatLine(bytes, random) {
    const lines = linesOf(bytes);
    lines.splice(random.below(lines.length + 1), 0, random.pick(lines));
    return Buffer.concat(lines);
  },
  loseNewline(bytes, random) {
    const newlines = [...bytes.keys()].filter((at) => bytes[at] === NEWLINE);
    const at = newlines.length > 0 ? random.pick(newlines) : 0;
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  },
};

/** A log after a few accidents. */
export function mutate(bytes, random, other) {
  let mutated = bytes;
  for (let n = random.below(3); n >= 0; n--)
    if (mutated.length > 0) mutated = MUTATIONS[random.pick(Object.keys(MUTATIONS))](mutated, random, other);
  return mutated;
}

/** The bytes in chunks, as a pipe might bring them; each is overwritten once the next is asked for. */
export function* chunksOf(bytes, random) {
  const most = random.pick([1, 7, 64, 1000, 65_536, 2 ** 30]);
  for (let from = 0; from < bytes.length; ) {
    // Single bytes take their time, so only the start comes in them.
    const size = from > 2000 && most < 64 ? 4096 : 1 + random.below(most);
    const chunk = Buffer.from(bytes.subarray(from, from + size));
    yield chunk;
    chunk.fill(0x58);
    from += size;
  }
}

/** As several writers leave it that append to one compressed file. */
export function gzipMembers(bytes, random) {
  const members = [];
  for (let from = 0; from === 0 || from < bytes.length; ) {
    const size = 1 + random.below(bytes.length);
    members.push(gzipSync(bytes.subarray(from, from + size), { level: random.below(10) }));
    from += size;
  }
  return Buffer.concat(members);
}

/** The lines of a log, each with its newline. */
export function linesOf(bytes) {
  const lines = [];
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline < 0 ? bytes.length : newline + 1;
    lines.push(bytes.subarray(from, to));
    from = to;
  }
  return lines;
}

function range(length, random) {
  const from = random.below(length);
  const most = random.pick([1, 4, 100, length]);
  return [from, Math.min(length, from + 1 + random.below(most))];
}

function splice(bytes, at, piece) {
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
}

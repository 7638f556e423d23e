const WORDS =
  'the file test should return value error when handler request model config update path import from function const ' +
  'await result build failed passed module user session token stream parse index cache server client response data ' +
  'check line expected received undefined null object array string number type export class method call agent tool ' +
  'def self raise assert none true false if else for in not and or with as lambda yield print open read write close';
// As they stand inside a JSON string, so already escaped.
const ESCAPED = [
  '\\"name\\"',
  '\\"content\\":',
  'C:\\\\src\\\\app',
  're:\\\\s+\\\\w',
  '\\t',
  '\\t\\t',
  '\\/api',
  "it's",
];
const FOREIGN = ['café', 'naïve', '→', '✅', '日本語', 'Привет', '🚀', '\\u00e9t\\u00e9', '\\u2014', '\\ud83d\\ude80'];

/**
 * Escaped text that looks like what agents write and read: about 16 line ends and 14 other escapes a KB, and a
 * few characters beyond ASCII, raw and as \u escapes. It is made once; a text is then a run of its words.
 */
export class Text {
  constructor(random, size = 1 << 20) {
    const words = WORDS.split(' ');
    const pieces = [];
    const cuts = [0];
    let length = 0;
    let column = 0;
    while (length < size) {
      const kind = random.unit();
      let word = kind < 0.945 ? random.pick(words) : kind < 0.995 ? random.pick(ESCAPED) : random.pick(FOREIGN);
      column += word.length + 1;
      if (column > 30 + random.below(60)) {
        word += random.chance(0.4) ? '\\n    ' : '\\n';
        column = 0;
      } else {
        word += ' ';
      }
      pieces.push(word);
      length += Buffer.byteLength(word);
      cuts.push(length);
    }
    this.bytes = Buffer.from(pieces.join(''));
    this.cuts = Uint32Array.from(cuts);
    this.wordsPerByte = pieces.length / length;
  }

  /** Writes about `length` bytes, cut between words; nothing if it is less than a word. */
  write(out, random, length) {
    let words = Math.round(length * this.wordsPerByte);
    const all = this.cuts.length - 1;
    for (; words >= all; words -= all) out.bytes(this.bytes, 0, this.bytes.length);
    if (words <= 0) return;
    const first = random.below(all - words);
    out.bytes(this.bytes, this.cuts[first], this.cuts[first + words]);
  }

  /** The same, but exactly `length` bytes: ends in filler. */
  writeExactly(out, random, length) {
    const end = out.position + length;
    for (let left = length; left > 1000; left = end - out.position) this.write(out, random, left * 0.9);
    out.ascii('x'.repeat(end - out.position));
  }
}

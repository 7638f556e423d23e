/** A small seeded generator (mulberry32). Its state can be saved and put back, to write the same text again. */
export class Random {
  constructor(seed) {
    this.state = seed | 0;
  }

  /** An integer in [0, 2^32). */
  next() {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** In [0, 1). */
  unit() {
    return this.next() / 2 ** 32;
  }

  /** An integer in [0, n). */
  below(n) {
    return Math.floor(this.unit() * n);
  }

  chance(probability) {
    return this.unit() < probability;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** Mean 1, many small values and a few large ones, at most 4: how the lengths of real tool results are spread. */
  skewed() {
    const u = this.unit();
    return 4 * u * u * u;
  }

  hex(digits) {
    let text = '';
    while (text.length < digits) text += this.next().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  uuid() {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-8${this.hex(3)}-${this.hex(12)}`;
  }
}

/**
 * Leads a record to its planned bytes, events and duration: whatever chance does in one turn, the later turns make up
 * for it. A record of any length needs no more than this to be planned.
 */
export class Pace {
  constructor(out, { bytes, events, startedAt, eventsPerTurn, bytesPerTurn }) {
    this.out = out;
    this.end = out.position + bytes;
    this.events = events;
    this.eventsPerTurn = eventsPerTurn;
    this.bytesPerTurn = bytesPerTurn; // without its texts
    this.now = startedAt;
    this.completedAt = startedAt + 2000 + Math.round(events * 1500);
  }

  /** Turns to go, given the events written so far; the last one is 1. */
  turnsLeft(written) {
    return Math.max(1, (this.events - written) / this.eventsPerTurn);
  }

  /** Bytes of text for the coming turn. */
  room(turnsLeft) {
    return Math.max(0, (this.end - this.out.position) / turnsLeft - this.bytesPerTurn);
  }

  /** Milliseconds for the coming turn: never beyond the end of the run. */
  slot(turnsLeft, random) {
    const even = (this.completedAt - this.now) / turnsLeft;
    return Math.floor(turnsLeft <= 1 ? even * 0.9 : even * (0.5 + random.unit() * 0.5));
  }
}

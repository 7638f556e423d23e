import { bytes as showBytes } from '../render/units.ts';

const WAIT_MS = 500;
const EVERY_MS = 100;

/** One line on stderr that says how far the reading is: drawn after half a second, and gone at the end. */
export class Progress {
  private readonly startedAt = performance.now();
  private drawnAt = 0;
  private bytes = 0;
  private trajectories = 0;

  constructor(
    private readonly totalBytes: number,
    private readonly stream: NodeJS.WriteStream,
  ) {}

  add(bytes: number, trajectories: number): void {
    this.bytes += bytes;
    this.trajectories += trajectories;
    const now = performance.now();
    if (now - this.startedAt < WAIT_MS || now - this.drawnAt < EVERY_MS) return;
    this.drawnAt = now;
    this.stream.write(`\r\u001b[K${this.line((now - this.startedAt) / 1000)}`);
  }

  clear(): void {
    if (this.drawnAt > 0) this.stream.write('\r\u001b[K');
  }

  private line(seconds: number): string {
    const rate = this.bytes / seconds;
    const parts = [showBytes(this.bytes), `${showBytes(rate)}/s`, `${this.trajectories} trajectories`];
    if (this.totalBytes > this.bytes) {
      parts[0] += ` of ${showBytes(this.totalBytes)}`;
      parts.push(`${Math.ceil((this.totalBytes - this.bytes) / rate)} s left`);
    }
    return parts.join(' · ');
  }
}

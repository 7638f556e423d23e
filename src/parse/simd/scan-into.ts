import type { Room } from '../../model/room.ts';
import { OUTCOME_TAPE_FULL } from './codes.ts';
import { Engine, EngineRoom } from './engine.ts';
import { FRAMINGS } from './framings.ts';
import { scannerModule } from './module.ts';
import { RingWriter, type ScanJob } from './ring.ts';

// Before there is a job, because to compile it takes a while.
const compiled = scannerModule();

/** Scans what is read into the room, chunk by chunk, into the ring, until it ends or nobody wants it any more. */
export function scanInto(job: ScanJob, read: (room: Room) => Iterable<number>): void {
  const engine = new Engine(compiled);
  const { scanner, rooms } = engine;
  const writer = new RingWriter(job.ring, engine);
  const tables = scanner.tablesAddress(job.image.length);
  engine.view();
  engine.bytes.set(job.image, tables);
  scanner.begin(FRAMINGS[job.framing], job.root, job.records, job.maxValueBytes, 1, 0);
  let failure: string | null = null;
  try {
    for (const size of read(new EngineRoom(engine, rooms[0]))) {
      scanner.feed(rooms[0], size);
      let outcome: number;
      do {
        outcome = scanner.run(size);
        engine.view();
        if (!writer.put(outcome === OUTCOME_TAPE_FULL ? 0 : size)) return;
      } while (outcome === OUTCOME_TAPE_FULL);
      scanner.advance(size);
    }
  } catch (error) {
    failure = (error as Error).message;
  }
  scanner.finish();
  engine.view();
  if (writer.put(0)) writer.end(failure);
}

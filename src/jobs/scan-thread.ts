/** The thread that reads a file and scans it, while the main thread folds what was found. */
import { parentPort } from 'node:worker_threads';
import type { ScanJob } from '../parse/simd/ring.ts';
import { scanInto } from '../parse/simd/scan-into.ts';
import { readInto } from '../read/bytes.ts';

parentPort?.once('message', (job: ScanJob) => scanInto(job, (room) => readInto(job.path, job.from, room)));

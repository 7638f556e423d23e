import { trialEvents } from '../formats/trials.ts';
import type { TrajectoryHead } from '../model/trajectory.ts';
import { fileBeside } from '../read/beside.ts';
import type { Collector, Elsewhere } from './collector.ts';
import { feed } from './feed.ts';
import { Intake } from './intake.ts';
import { fail, type Run } from './run.ts';

/** Reads the events of an instance from the file that it names. Without that file the row stays, with nothing in it. */
export async function readElsewhere(run: Run, elsewhere: Elsewhere, collector: Collector<unknown>): Promise<void> {
  const { source, head } = elsewhere;
  const file =
    source.path === '-'
      ? { refusal: 'its trajectory is in another file, which cannot be found from standard input' }
      : fileBeside(source.path, elsewhere.path);
  let found = false;
  if (typeof file !== 'string') fail(run.account, source.path, `element ${source.index}: ${file.refusal}`);
  else {
    const end = (inner: TrajectoryHead) => {
      found = true;
      collector.complete(elsewhere, inner);
    };
    const input = { kind: 'file', path: file, named: true, bytes: 0 } as const;
    const reading = feed(
      run,
      input,
      (layout, raw) => new Intake(run, layout, file, raw, collector, { name: null }, end),
      trialEvents,
    );
    for await (const _ of reading);
  }
  if (found) return;
  run.account.trajectories++;
  collector.source = source;
  collector.end({ ...head, hasTrajectory: false });
}

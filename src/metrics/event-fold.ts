import type { Fold } from '../fold/fold.ts';
import type { EventDigest } from '../model/digest.ts';
import type { TrajectoryEvent } from '../model/event.ts';

/** A fold over events that can also take a digest instead of the events that it stands for, with the same result. */
export interface EventFold<S, R> extends Fold<TrajectoryEvent, S, R> {
  absorb(state: S, digest: EventDigest): S;
}

/** This job's claim to its place, for as long as the job is open. */

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import type { Logger } from '../../base/logger.ts';
import type { Guards } from '../guard/guards.ts';
import type { ClaimControl } from '../mirror.ts';
import type { Place } from '../target.ts';
import type { MirrorJob } from '../types.ts';
import type { Claim, FoundClaim } from './claim-object.ts';
import { checkPlace, holdPlace, takePlaceOver } from './hold-place.ts';

export interface PlaceClaimOptions {
  readonly job: Pick<MirrorJob, 'id' | 'root'>;
  readonly hostId: string;
  readonly keyCheck?: string;
  readonly place: Place;
  readonly guards: Guards;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Has the job tried again at once. */
  readonly look: () => void;
}

export class PlaceClaim implements ClaimControl {
  readonly #options: PlaceClaimOptions;
  readonly #claim: Claim;

  constructor(options: PlaceClaimOptions) {
    const { job, hostId, keyCheck } = options;
    this.#options = options;
    this.#claim = { job: job.id, host: hostId, root: job.root, ...defined({ keyCheck }) };
  }

  /** Throws MirrorError `Claimed` where somebody else has the place, `OtherKey` where it is encrypted under another key. */
  check(signal: AbortSignal): Promise<void> {
    return checkPlace(this.#options.place, this.#claim, signal);
  }

  /** Makes the claim where there is none. Throws MirrorError `Claimed` or `OtherKey`. */
  hold(signal: AbortSignal): Promise<void> {
    const { place, clock, guards } = this.#options;
    return holdPlace(place, this.#claim, { clock, takesOne: () => guards.takesOneClaim(), signal });
  }

  async takeOver(signal: AbortSignal): Promise<FoundClaim | undefined> {
    const { place, logger, look } = this.#options;
    const before = await takePlaceOver(place, this.#claim, signal);
    if (before) logger.warn({ bucket: place.bucket, before }, 'take over place: it was claimed');
    look();
    return before;
  }
}

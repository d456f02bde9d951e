/** The locks of a job's versions: what a new one is given. */

import type { Clock } from '../../base/clock.ts';
import type { LockRequest } from '../../object-store/object-store.ts';
import type { MirrorJob } from '../types.ts';
import { lockTerms, lockUntil, type TermsOf } from './lock-terms.ts';

export interface JobLocksOptions {
  readonly job: MirrorJob;
  readonly clock: Clock;
}

export class JobLocks {
  readonly #clock: Clock;
  readonly #termsOf: TermsOf;

  constructor({ job, clock }: JobLocksOptions) {
    this.#clock = clock;
    this.#termsOf = lockTerms(job.lock);
  }

  /** The retention of a version of this key that is made now; undefined where it gets none. */
  async requestFor(key: string): Promise<LockRequest | undefined> {
    const terms = this.#termsOf(key);
    if (!terms) return undefined;
    const retainUntil = lockUntil(terms, this.#clock.now());
    return { retention: { mode: terms.mode, retainUntil } };
  }
}

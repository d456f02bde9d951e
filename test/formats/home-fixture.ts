/** A home as a release left it: where its databases are, and what was in them. */

import type { Fixture } from './fixture.ts';

/** The folder of the job, its bucket, and its name. */
export const NOTES = 'notes';

/** Files of it that were deleted at once: more than a brake lets pass. */
export const MANY = 60;

/** In the home. The last three came later than the others. */
export const DATABASES = {
  store: 'data/store/store.sqlite',
  state: `state/jobs/${NOTES}/state.sqlite`,
  identity: 'data/identity.sqlite',
  monitoring: 'data/monitoring.sqlite',
  clusters: 'data/clusters.sqlite',
} as const;

export interface HomeFixture extends Fixture<{
  /** How many access keys there were. */
  readonly keys: number;
}> {
  /** Where home and folder lay: other paths begin with it. */
  readonly folder: string;
}

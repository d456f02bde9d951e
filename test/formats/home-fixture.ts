/** Describes a home fixture, which an earlier release wrote: the paths and the contents of its databases. */

import type { Fixture } from './fixture.ts';

/** Name of the job, of its folder and of its bucket. */
export const NOTES = 'notes';

/** Number of files that were deleted at once, so many that the mass-change guard held them for review. */
export const MANY = 60;

/** Paths of the databases in the home. The last three were added in later releases. */
export const DATABASES = {
  store: 'data/store/store.sqlite',
  state: `state/jobs/${NOTES}/state.sqlite`,
  identity: 'data/identity.sqlite',
  monitoring: 'data/monitoring.sqlite',
  clusters: 'data/clusters.sqlite',
} as const;

export interface HomeFixture extends Fixture<{
  /** Number of access keys. */
  readonly keys: number;
}> {
  /** Original path of the folder that contained the home and the job's folder. Paths in the files start with it. */
  readonly folder: string;
}

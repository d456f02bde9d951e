/**
 * Describes the fixture of a Holdfast home that an earlier release wrote: its paths and the contents of its
 * databases.
 */

import type { Fixture } from './fixture.ts';

/** The name of the job, of its folder and of its bucket. */
export const NOTES = 'notes';

/**
 * The number of files deleted at once. It is so large that the mass-change guard held the deletions for
 * review.
 */
export const MANY = 60;

/** The paths of the databases in the home. Later releases added the last three. */
export const DATABASES = {
  store: 'data/store/store.sqlite',
  state: `state/jobs/${NOTES}/state.sqlite`,
  identity: 'data/identity.sqlite',
  monitoring: 'data/monitoring.sqlite',
  clusters: 'data/clusters.sqlite',
} as const;

export interface HomeFixture extends Fixture<{
  /** The number of access keys in the home. */
  readonly keys: number;
}> {
  /** The original path of the folder with the home and the job's folder. Paths in the files begin with it. */
  readonly folder: string;
}

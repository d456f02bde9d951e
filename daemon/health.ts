/** The daemon's health in one word, for whoever watches it from outside. */

import { isProtectedOrKept } from '../src/control/protection.ts';
import type { JobStatus } from '../src/control/shapes.ts';
import type { StoreHealth } from '../src/engine/maintenance/upkeep.ts';

export interface Health {
  /** `failing`: something is not protected, and does not mend itself. `attention`: a person is to decide something. */
  readonly status: 'attention' | 'failing' | 'in order';
  readonly store: StoreHealth['state'];
  readonly jobs: readonly { readonly name: string; readonly state: JobStatus['state'] }[];
}

const FAILING: ReadonlySet<JobStatus['state']> = new Set([
  'root missing',
  'no room',
  'clock',
  'failed',
]);

export function healthOf(store: Pick<StoreHealth, 'state'>, jobs: readonly JobStatus[]): Health {
  const isFailing = store.state !== 'in order' || jobs.some(({ state }) => FAILING.has(state));
  const waits = !jobs.every(isProtectedOrKept);
  return {
    status: isFailing ? 'failing' : waits ? 'attention' : 'in order',
    store: store.state,
    jobs: jobs.map(({ name, state }) => ({ name, state })),
  };
}

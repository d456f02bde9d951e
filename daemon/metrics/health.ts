/** Summarizes the health of the daemon for external monitoring (`GET /health`). */

import { isProtectedOrKept } from '../../src/control/protection.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import type { StoreHealth } from '../../src/engine/maintenance/upkeep.ts';

export interface Health {
  /**
   * The status. `failing`: the store is degraded or read-only, or a job is in one of the states `FAILING`. `attention`:
   * a job is at risk, or its protection is unknown.
   */
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

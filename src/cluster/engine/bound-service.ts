/** Combines all operations into the cluster service for one caller. */

import type { Caller } from '../caller.ts';
import type { ClusterService } from '../cluster-service.ts';
import type { ClusterStore } from './cluster-store.ts';
import { clusterCalls } from './clusters.ts';
import { CallContext } from './context.ts';
import { nodegroupCalls } from './nodegroups.ts';
import { tagCalls } from './tags.ts';
import { updateCalls } from './updates.ts';

export function boundService(
  store: ClusterStore,
  options: { readonly caller: Caller; readonly region: string },
): ClusterService {
  const context = new CallContext(store, options);
  return {
    ...clusterCalls(context),
    ...nodegroupCalls(context),
    ...updateCalls(context),
    ...tagCalls(context),
  };
}

/**
 * The cluster service on this machine: records in SQLite, and no machines. What a node group goes through is what the
 * interface tells of it (rules/lifecycle.ts), in times that are configured.
 *
 * Each call is one transaction, durable when it resolves. Before anything else it takes all steps that are due, so that
 * nothing has to run meanwhile, and a restart takes up where the service was.
 */

import type { Clock } from '../../base/clock.ts';
import type { Caller } from '../caller.ts';
import type { ClusterService } from '../cluster-service.ts';
import type { Durations } from '../rules/records.ts';
import { boundService } from './bound-service.ts';
import { openClusterFile } from './cluster-file.ts';
import { ClusterStore } from './cluster-store.ts';

export interface ClusterEngineOptions {
  /** In a folder that exists. */
  readonly path: string;
  readonly region: string;
  readonly durations: Durations;
  readonly clock: Clock;
}

export interface ClusterEngine {
  /** The clusters of the caller's project. */
  as(caller: Caller): ClusterService;
  close(): void;
}

/** Opens the file, or makes it. Throws for a file of a later release. */
export function openClusterEngine(options: ClusterEngineOptions): ClusterEngine {
  const database = openClusterFile(options.path);
  const store = new ClusterStore(database, options);
  return {
    as: (caller) => boundService(store, { caller, region: options.region }),
    close: () => database.close(),
  };
}

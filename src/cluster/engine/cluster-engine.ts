/**
 * Implements the cluster service on this machine. Stores records in SQLite but runs no machines: clusters and node
 * groups only pass through their states (rules/lifecycle.ts) with configured durations.
 *
 * The changes of a call form one transaction, which is durable when the call resolves. Each call first performs all
 * state changes that are due. So no timer is needed, and after a restart the service continues where it stopped.
 */

import type { Clock } from '../../base/clock.ts';
import type { Caller } from '../caller.ts';
import type { ClusterService } from '../cluster-service.ts';
import type { Durations } from '../rules/records.ts';
import { boundService } from './bound-service.ts';
import { openClusterFile } from './cluster-file.ts';
import { ClusterStore } from './cluster-store.ts';

export interface ClusterEngineOptions {
  /** The path of the database. Its folder must exist. */
  readonly path: string;
  readonly region: string;
  readonly durations: Durations;
  readonly clock: Clock;
}

export interface ClusterEngine {
  /** Returns the cluster service for the caller's project. */
  as(caller: Caller): ClusterService;
  close(): void;
}

/**
 * Opens or creates the database. Throws NewerFormatError if a later version of Holdfast has written
 * the file.
 */
export function openClusterEngine(options: ClusterEngineOptions): ClusterEngine {
  const database = openClusterFile(options.path);
  const store = new ClusterStore(database, options);
  return {
    as: (caller) => boundService(store, { caller, region: options.region }),
    close: () => database.close(),
  };
}

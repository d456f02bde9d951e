/**
 * Implements the cluster service on this machine. It stores records in SQLite and runs no machines:
 * clusters and node groups only pass through their states (rules/lifecycle.ts) with configured
 * durations.
 *
 * The changes of a call are one transaction, which is durable when the call resolves. Before that,
 * the call performs all state changes that are due, so no timer has to run, and a restart continues
 * where the service stopped.
 */

import type { Clock } from '../../base/clock.ts';
import type { Caller } from '../caller.ts';
import type { ClusterService } from '../cluster-service.ts';
import type { Durations } from '../rules/records.ts';
import { boundService } from './bound-service.ts';
import { openClusterFile } from './cluster-file.ts';
import { ClusterStore } from './cluster-store.ts';

export interface ClusterEngineOptions {
  /** Path of the database. Its folder must exist. */
  readonly path: string;
  readonly region: string;
  readonly durations: Durations;
  readonly clock: Clock;
}

export interface ClusterEngine {
  /** Returns the service for the clusters of the caller's project. */
  as(caller: Caller): ClusterService;
  close(): void;
}

/**
 * Opens the database, or creates it. Throws NewerFormatError for a file of a later version of
 * Holdfast.
 */
export function openClusterEngine(options: ClusterEngineOptions): ClusterEngine {
  const database = openClusterFile(options.path);
  const store = new ClusterStore(database, options);
  return {
    as: (caller) => boundService(store, { caller, region: options.region }),
    close: () => database.close(),
  };
}

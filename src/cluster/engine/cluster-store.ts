/**
 * Runs the transactions of the cluster database. Before each transaction, performs all state
 * changes that are due.
 */

import type Database from 'better-sqlite3';

import type { Clock } from '../../base/clock.ts';
import { advanceCluster, advanceNodegroup } from '../rules/lifecycle.ts';
import type { Durations, NodegroupRecord } from '../rules/records.ts';
import { ClusterTable, NodegroupTable, UpdateTable } from './cluster-tables.ts';
import { once, type TokenRequest } from './request-tokens.ts';

export class ClusterStore {
  readonly clusters: ClusterTable;
  readonly nodegroups: NodegroupTable;
  readonly updates: UpdateTable;
  readonly durations: Durations;
  readonly #db: Database.Database;
  readonly #clock: Clock;

  constructor(
    db: Database.Database,
    { durations, clock }: { readonly durations: Durations; readonly clock: Clock },
  ) {
    this.#db = db;
    this.#clock = clock;
    this.durations = durations;
    this.clusters = new ClusterTable(db);
    this.nodegroups = new NodegroupTable(db);
    this.updates = new UpdateTable(db);
  }

  /**
   * Performs the state changes that are due, runs `work` in a separate transaction, and returns its result. If `work`
   * throws, only the changes of `work` are rolled back.
   */
  transact<T>(work: (now: number) => T): T {
    const now = this.#clock.now();
    this.#db.transaction(() => this.#advance(now)).immediate();
    return this.#db.transaction(() => work(now)).immediate();
  }

  /**
   * Runs `work` and returns its result. If an earlier request had the same token, returns the stored result instead.
   * Must be called inside `transact`.
   */
  once<T>(request: TokenRequest, work: () => T): T {
    return once(this.#db, request, work);
  }

  #advance(now: number): void {
    for (const { project, name, record } of this.clusters.due(now)) {
      const next = advanceCluster(record, now);
      if (next === 'gone') this.clusters.remove({ project, name });
      else this.clusters.put(project, next);
    }
    for (const { project, cluster, name, record } of this.nodegroups.due(now))
      this.#advanceNodegroup({ project, cluster, name }, record, now);
  }

  #advanceNodegroup(
    names: { readonly project: string; readonly cluster: string; readonly name: string },
    before: NodegroupRecord,
    now: number,
  ): void {
    const { record, ended } = advanceNodegroup(before, now, this.durations);
    if (ended) {
      const known = this.updates.get(names.project, ended.updateId);
      const { errors } = ended;
      const status = errors.length === 0 ? 'Successful' : 'Failed';
      if (known)
        this.updates.put(names.project, { ...known, update: { ...known.update, status, errors } });
    }
    if (record === 'gone') this.nodegroups.remove(names);
    else this.nodegroups.put(names.project, record);
  }
}

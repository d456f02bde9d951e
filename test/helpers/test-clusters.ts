/** Opens a cluster service with its own database file and a fake clock. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';

import type { UserPrincipal } from '../../src/base/principal.ts';
import type { ClusterService, NodegroupRef } from '../../src/cluster/cluster-service.ts';
import { type ClusterEngine, openClusterEngine } from '../../src/cluster/engine/cluster-engine.ts';
import type { Durations, NodegroupRecord } from '../../src/cluster/rules/records.ts';
import { FakeClock } from './fake-clock.ts';

/**
 * Durations of the simulated cluster operations in milliseconds. They are short, and no two of them
 * are equal.
 */
export const DURATIONS: Durations = {
  createClusterMs: 10_000,
  deleteClusterMs: 5_000,
  createNodegroupMs: 4_000,
  deleteNodegroupMs: 3_000,
  batchMs: 1_000,
};

export const CLUSTER_USER: UserPrincipal = {
  kind: 'user',
  project: 'holdfast',
  user: 'ann',
  customer: 'local',
  fullAccess: true,
};

export interface TestClusters extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly engine: () => ClusterEngine;
  /** Returns the service for a user with full access. `who` replaces fields of the user. */
  readonly service: (who?: Partial<UserPrincipal>) => ClusterService;
  /** Closes and opens the database file, as a restart of the service does. */
  readonly reopen: () => void;
  /**
   * Creates an active node group of two nodes, which can grow to eight. Also creates an active
   * cluster if none exists.
   */
  readonly makeGroup: (ref: NodegroupRef) => Promise<void>;
  /** Reads the record of a node group from the database file. */
  readonly record: (ref: NodegroupRef) => NodegroupRecord | undefined;
  /**
   * Makes the next work of this kind on the node group fail. Without `work`, it removes the planned
   * failures.
   */
  readonly planFailure: (ref: NodegroupRef, work?: string) => Promise<void>;
}

export function openTestClusters(durations: Partial<Durations> = {}): TestClusters {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-clusters-'));
  const path = join(folder, 'clusters.sqlite');
  const clock = new FakeClock();
  const open = () =>
    openClusterEngine({
      path,
      region: 'us-east-1',
      durations: { ...DURATIONS, ...durations },
      clock,
    });
  let engine = open();
  const service = (who: Partial<UserPrincipal> = {}) => engine.as({ ...CLUSTER_USER, ...who });
  return {
    clock,
    engine: () => engine,
    service,
    reopen() {
      engine.close();
      engine = open();
    },
    async makeGroup({ clusterName, nodegroupName }) {
      const { clusters } = await service().listClusters({});
      if (!clusters.includes(clusterName)) await service().createCluster({ name: clusterName });
      clock.advance(DURATIONS.createClusterMs);
      await service().createNodegroup({
        clusterName,
        nodegroupName,
        instanceTypes: ['m1.small'],
        scalingConfig: { minSize: 0, desiredSize: 2, maxSize: 8 },
      });
      clock.advance(DURATIONS.createNodegroupMs);
    },
    record({ clusterName, nodegroupName }) {
      using database = new Disposed(path);
      const text = database.db
        .prepare('SELECT record FROM nodegroup WHERE cluster = ? AND name = ?')
        .pluck()
        .get(clusterName, nodegroupName);
      return typeof text === 'string' ? (JSON.parse(text) as NodegroupRecord) : undefined;
    },
    async planFailure(ref, work) {
      const { nodegroupArn: resourceArn, tags } = await service().describeNodegroup(ref);
      const tagKeys = Object.keys(tags);
      if (tagKeys.length > 0) await service().untagResource({ resourceArn, tagKeys });
      if (work === undefined) return;
      const code = 'NodeCreationFailure: no machine is left';
      await service().tagResource({ resourceArn, tags: { [`holdfast/fail-${work}`]: code } });
    },
    async [Symbol.asyncDispose]() {
      engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

class Disposed implements Disposable {
  readonly db: Database.Database;

  constructor(path: string) {
    this.db = new Database(path, { readonly: true });
  }

  [Symbol.dispose](): void {
    this.db.close();
  }
}

/**
 * Computes the state transitions of clusters and node groups as pure functions of a record and the time (semantics
 * B.19, "States"). Each step starts when the previous step was due. So the result does not depend on when requests
 * arrive, or on whether the service runs all the time.
 */

import { defined } from '../../base/defined.ts';
import type { HealthIssue, Nodegroup, UpdateError } from '../cluster-service.ts';
import { plannedFailure } from './planned-failure.ts';
import type { ClusterRecord, Durations, NodegroupRecord, UpdateWork } from './records.ts';

/**
 * Returns the record after the step that is due. Returns the record unchanged if no step is due, and `gone` if the
 * cluster was deleted.
 */
export function advanceCluster(record: ClusterRecord, now: number): ClusterRecord | 'gone' {
  const { cluster, work } = record;
  if (!work || work.dueAt > now) return record;
  const failure = plannedFailure(cluster.tags, work.kind === 'creating' ? 'create' : 'delete');
  if (failure) {
    const issue: HealthIssue = { ...failure, resourceIds: [cluster.name] };
    return { cluster: { ...cluster, status: 'FAILED', health: { issues: [issue] } } };
  }
  if (work.kind === 'deleting') return 'gone';
  return { cluster: { ...cluster, status: 'ACTIVE' } };
}

/** An update that ended during these steps. `errors` is empty if the update was successful. */
export interface EndedUpdate {
  readonly updateId: string;
  readonly errors: readonly UpdateError[];
}

export interface Advanced {
  readonly record: NodegroupRecord | 'gone';
  readonly ended?: EndedUpdate;
}

/** Returns the record after all steps that are due at `now`, and the update that ended during these steps. */
export function advanceNodegroup(
  record: NodegroupRecord,
  now: number,
  durations: Durations,
): Advanced {
  let current = record;
  let ended: EndedUpdate | undefined;
  while (current.work && current.work.dueAt <= now) {
    const { work } = current;
    const step =
      work.kind === 'updating' ? stepUpdate(current, work, durations) : endWork(current, work);
    if (step.record === 'gone') return { ...step, ...defined({ ended }) };
    ended = step.ended ?? ended;
    current = step.record;
  }
  return { record: current, ...defined({ ended }) };
}

function endWork(
  record: NodegroupRecord,
  { kind, dueAt }: { readonly kind: 'creating' | 'deleting'; readonly dueAt: number },
): Advanced {
  const { nodegroup, nodes } = record;
  const failure = plannedFailure(nodegroup.tags, kind === 'creating' ? 'create' : 'delete');
  if (failure) {
    const status = kind === 'creating' ? 'CREATE_FAILED' : 'DELETE_FAILED';
    const failed = withIssue(nodegroup, failure);
    return { record: { nodegroup: { ...failed, status, modifiedAt: dueAt }, nodes } };
  }
  if (kind === 'deleting') return { record: 'gone' };
  return {
    record: {
      nodegroup: { ...nodegroup, status: 'ACTIVE', modifiedAt: dueAt },
      nodes: { running: nodegroup.scalingConfig.desiredSize, unavailable: 0 },
    },
  };
}

/** Ends the current batch of an update. Starts the next batch, or ends the update. Returns the new record. */
function stepUpdate(record: NodegroupRecord, work: UpdateWork, durations: Durations): Advanced {
  const { nodegroup } = record;
  const failure = plannedFailure(nodegroup.tags, 'update');
  if (failure) return failUpdate(record, work, failure);
  const over = { ...record, nodes: { ...record.nodes, unavailable: 0 } };
  const next = nextBatch(over, { ...work, dueAt: work.dueAt + durations.batchMs });
  if (next) return { record: next };
  const { updateId, target, dueAt } = work;
  return {
    record: {
      nodegroup: {
        ...nodegroup,
        ...target,
        status: 'ACTIVE',
        modifiedAt: dueAt,
        health: { issues: [] },
      },
      nodes: { running: target.scalingConfig.desiredSize, unavailable: 0 },
    },
    ended: { updateId, errors: [] },
  };
}

/**
 * Starts the next batch of an update and returns the new record. Returns undefined after the last batch. The first
 * batches replace nodes. The other batches add or remove nodes.
 */
export function nextBatch(record: NodegroupRecord, work: UpdateWork): NodegroupRecord | undefined {
  const { running } = record.nodes;
  const { desiredSize } = work.target.scalingConfig;
  const size = batchSize(record);
  if (work.replaced !== undefined && work.replaced < running) {
    const unavailable = Math.min(size, running - work.replaced);
    const nodes = { running, unavailable };
    return { ...record, nodes, work: { ...work, replaced: work.replaced + unavailable } };
  }
  if (running === desiredSize) return undefined;
  const step = Math.min(size, Math.abs(desiredSize - running));
  const nodes = { running: running + Math.sign(desiredSize - running) * step, unavailable: 0 };
  return { ...record, nodes, work };
}

/** Returns how many nodes may be unavailable at the same time. The result is at least 1. */
export function batchSize({ nodegroup: { updateConfig }, nodes }: NodegroupRecord): number {
  const { maxUnavailable, maxUnavailablePercentage } = updateConfig;
  if (maxUnavailablePercentage === undefined) return maxUnavailable ?? 1;
  return Math.max(1, Math.floor((nodes.running * maxUnavailablePercentage) / 100));
}

/**
 * Returns the record after a failed update. The node group keeps its earlier settings, and its health contains the
 * failure.
 */
function failUpdate(
  record: NodegroupRecord,
  { updateId, dueAt }: UpdateWork,
  failure: { readonly code: string; readonly message: string },
): Advanced {
  const { nodegroup } = record;
  const { nodegroupName, scalingConfig } = nodegroup;
  const errors = [
    { errorCode: failure.code, errorMessage: failure.message, resourceIds: [nodegroupName] },
  ];
  return {
    record: {
      nodegroup: { ...withIssue(nodegroup, failure), status: 'DEGRADED', modifiedAt: dueAt },
      nodes: { running: scalingConfig.desiredSize, unavailable: 0 },
    },
    ended: { updateId, errors },
  };
}

/** Returns the record after a cancelled update. The node group keeps its earlier settings and health. */
export function cancelledUpdate({ nodegroup }: NodegroupRecord, now: number): NodegroupRecord {
  const { scalingConfig, health } = nodegroup;
  const status = health.issues.length === 0 ? 'ACTIVE' : 'DEGRADED';
  return {
    nodegroup: { ...nodegroup, status, modifiedAt: now },
    nodes: { running: scalingConfig.desiredSize, unavailable: 0 },
  };
}

function withIssue(
  nodegroup: Nodegroup,
  failure: { readonly code: string; readonly message: string },
): Nodegroup {
  const issue: HealthIssue = { ...failure, resourceIds: [nodegroup.nodegroupName] };
  return { ...nodegroup, health: { issues: [issue] } };
}

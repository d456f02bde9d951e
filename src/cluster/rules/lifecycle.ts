/**
 * How clusters and node groups go from state to state: pure functions of a record and the time (semantics B.19,
 * "States"). Each step begins when the one before it was due, so that it does not matter when somebody looks, nor
 * whether the service ran meanwhile.
 */

import { defined } from '../../base/defined.ts';
import type { HealthIssue, Nodegroup, UpdateError } from '../cluster-service.ts';
import { plannedFailure } from './planned-failure.ts';
import type { ClusterRecord, Durations, NodegroupRecord, UpdateWork } from './records.ts';

/** `gone`: there is no record any more. */
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

/** An update that came to its end on the way. */
export interface EndedUpdate {
  readonly updateId: string;
  readonly errors: readonly UpdateError[];
}

export interface Advanced {
  readonly record: NodegroupRecord | 'gone';
  readonly ended?: EndedUpdate;
}

/** All steps that are due at `now`. */
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

/** The batch that was under way is over: the next one begins, or the update ends. */
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

/** Replacements first, then nodes more or less; undefined when nothing is left. Also how an update begins. */
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

/** How many nodes may be away at a time: at least one. */
export function batchSize({ nodegroup: { updateConfig }, nodes }: NodegroupRecord): number {
  const { maxUnavailable, maxUnavailablePercentage } = updateConfig;
  if (maxUnavailablePercentage === undefined) return maxUnavailable ?? 1;
  return Math.max(1, Math.floor((nodes.running * maxUnavailablePercentage) / 100));
}

/** The group has what it had before, and says what is wrong. */
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

/** The node group has what it had before, as after an update that failed; its health is that of before. */
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

/** Implements the operations on updates of node groups: start, describe, cancel and list. */

import { randomUUID } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import { ClusterError } from '../cluster-error.ts';
import type {
  ClusterService,
  NodegroupRef,
  Update,
  UpdateConfigRequest,
  UpdateRef,
  UpdateVersionRequest,
} from '../cluster-service.ts';
import { planConfigUpdate, type PlannedUpdate, planVersionUpdate } from '../rules/changes.ts';
import type { Parsed } from '../rules/check.ts';
import { cancelledUpdate, nextBatch } from '../rules/lifecycle.ts';
import type { NodegroupRecord, UpdateRecord, UpdateWork } from '../rules/records.ts';
import { MAX_PAGE } from '../rules/shapes.ts';
import { type CallContext, inUse, notFound } from './context.ts';
import { pageToken, readPageToken } from './page-token.ts';

type Calls = Pick<
  ClusterService,
  | 'cancelUpdate'
  | 'describeUpdate'
  | 'listUpdates'
  | 'updateNodegroupConfig'
  | 'updateNodegroupVersion'
>;

export function updateCalls(context: CallContext): Calls {
  const { store, owner } = context;
  return {
    async updateNodegroupConfig(request: UpdateConfigRequest): Promise<Update> {
      return context.change('updateNodegroupConfig', request, (parsed, now) => {
        const record = updatable(context, parsed);
        const planned = planConfigUpdate(record.nodegroup, parsed);
        return beginUpdate(context, record, { type: 'ConfigUpdate', now, ...planned });
      });
    },
    async updateNodegroupVersion(request: UpdateVersionRequest): Promise<Update> {
      return context.change('updateNodegroupVersion', request, (parsed, now) => {
        const record = updatable(context, parsed);
        const version = parsed.version ?? context.clusterOf(parsed.clusterName).cluster.version;
        const asked = { ...defined(parsed), version } as UpdateVersionRequest & { version: string };
        const planned = planVersionUpdate(record.nodegroup, asked);
        return beginUpdate(context, record, { type: 'VersionUpdate', now, ...planned });
      });
    },
    async describeUpdate(
      request: Parameters<ClusterService['describeUpdate']>[0],
    ): Promise<Update> {
      return context.read('describeUpdate', request, (ref) => updateOf(context, ref).update);
    },
    async cancelUpdate(request: UpdateRef): Promise<Update> {
      return context.change('cancelUpdate', request, (ref, now) => {
        const known = updateOf(context, ref);
        const record = context.nodegroupOf(known);
        if (record.work?.kind !== 'updating' || record.work.updateId !== ref.updateId)
          throw notInProgress(known);
        const update: Update = { ...known.update, status: 'Cancelled' };
        store.updates.put(owner.project, { ...known, update });
        store.nodegroups.put(owner.project, cancelledUpdate(record, now));
        return update;
      });
    },
    async listUpdates(request: Parameters<ClusterService['listUpdates']>[0]) {
      return context.read('listUpdates', request, (parsed) => {
        const {
          clusterName: cluster,
          nodegroupName,
          maxResults: limit = MAX_PAGE,
          nextToken,
        } = parsed;
        context.clusterOf(cluster);
        // This service does not update clusters, so a cluster itself has no updates.
        if (nodegroupName === undefined) return { updateIds: [] };
        context.nodegroupOf({ clusterName: cluster, nodegroupName });
        const of = { project: owner.project, cluster, nodegroup: nodegroupName };
        const list = `updates/${cluster}/${nodegroupName}`;
        const before = Number(readPageToken(list, nextToken) ?? Number.MAX_SAFE_INTEGER);
        const rows = store.updates.ids(of, { before, limit: limit + 1 });
        const page = rows.slice(0, limit);
        const last = page.at(-1);
        const isMore = rows.length > limit && last !== undefined;
        const updateIds = page.map(({ id }) => id);
        return { updateIds, ...(isMore && { nextToken: pageToken(list, String(last.sequence)) }) };
      });
    },
  };
}

function updateOf(
  context: CallContext,
  { clusterName, updateId, nodegroupName }: Parsed<'describeUpdate'>,
): UpdateRecord {
  context.clusterOf(clusterName);
  const known = context.store.updates.get(context.owner.project, updateId);
  const isOfGroup = nodegroupName === undefined || known?.nodegroupName === nodegroupName;
  if (known?.clusterName === clusterName && isOfGroup) return known;
  throw notFound(`No update found for ID: ${updateId}`, { clusterName, nodegroupName });
}

function notInProgress({ clusterName, nodegroupName, update }: UpdateRecord): ClusterError {
  return new ClusterError(
    'InvalidRequestException',
    `Update ${update.id} is ${update.status}: only an update that is InProgress can be cancelled`,
    { clusterName, nodegroupName },
  );
}

function updatable(context: CallContext, ref: NodegroupRef): NodegroupRecord {
  const record = context.nodegroupOf(ref);
  const { status } = record.nodegroup;
  if (status === 'ACTIVE' || status === 'DEGRADED') return record;
  const isBusy = status === 'CREATING' || status === 'UPDATING' || status === 'DELETING';
  if (isBusy)
    throw inUse(`Nodegroup ${ref.nodegroupName} is ${status} and cannot be updated now`, ref);
  throw new ClusterError(
    'InvalidRequestException',
    `Nodegroup '${ref.nodegroupName}' is not in ACTIVE status, but ${status}`,
    ref,
  );
}

function beginUpdate(
  { store, owner }: CallContext,
  { nodegroup, nodes }: NodegroupRecord,
  { type, now, target, params }: PlannedUpdate & { type: Update['type']; now: number },
): Update {
  const { project } = owner;
  const { clusterName, nodegroupName } = nodegroup;
  const id = randomUUID();
  const update: Update = { id, createdAt: now, status: 'InProgress', type, params, errors: [] };
  const work: UpdateWork = {
    kind: 'updating',
    updateId: id,
    dueAt: now + store.durations.batchMs,
    target,
    ...(type === 'VersionUpdate' && { replaced: 0 }),
  };
  const record: NodegroupRecord = {
    nodegroup: { ...nodegroup, status: 'UPDATING', modifiedAt: now },
    nodes,
    work,
  };
  store.updates.put(project, { clusterName, nodegroupName, update });
  store.nodegroups.put(project, nextBatch(record, work) ?? record);
  return update;
}

/** Updates of node groups: begun, told. */

import { randomUUID } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import { ClusterError } from '../cluster-error.ts';
import type {
  ClusterService,
  NodegroupRef,
  Update,
  UpdateConfigRequest,
  UpdateVersionRequest,
} from '../cluster-service.ts';
import { planConfigUpdate, type PlannedUpdate, planVersionUpdate } from '../rules/changes.ts';
import { nextBatch } from '../rules/lifecycle.ts';
import type { NodegroupRecord, UpdateWork } from '../rules/records.ts';
import { MAX_PAGE } from '../rules/shapes.ts';
import { type CallContext, inUse, notFound } from './context.ts';
import { pageToken, readPageToken } from './page-token.ts';

type Calls = Pick<
  ClusterService,
  'describeUpdate' | 'listUpdates' | 'updateNodegroupConfig' | 'updateNodegroupVersion'
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
      return context.read('describeUpdate', request, ({ clusterName, updateId, nodegroupName }) => {
        context.clusterOf(clusterName);
        const known = store.updates.get(owner.project, updateId);
        const isOne =
          known?.clusterName === clusterName &&
          (nodegroupName === undefined || known.nodegroupName === nodegroupName);
        if (isOne) return known.update;
        throw notFound(`No update found for ID: ${updateId}`, { clusterName, nodegroupName });
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
        if (nodegroupName !== undefined)
          context.nodegroupOf({ clusterName: cluster, nodegroupName });
        const of = { project: owner.project, cluster, ...defined({ nodegroup: nodegroupName }) };
        const before = Number(readPageToken(nextToken) ?? Number.MAX_SAFE_INTEGER);
        const rows = store.updates.ids(of, { before, limit: limit + 1 });
        const page = rows.slice(0, limit);
        const last = page.at(-1);
        const isMore = rows.length > limit && last !== undefined;
        const updateIds = page.map(({ id }) => id);
        return { updateIds, ...(isMore && { nextToken: pageToken(String(last.sequence)) }) };
      });
    },
  };
}

function updatable(context: CallContext, ref: NodegroupRef): NodegroupRecord {
  const record = context.nodegroupOf(ref);
  const { status } = record.nodegroup;
  if (status === 'ACTIVE' || status === 'DEGRADED') return record;
  const isBusy = status === 'CREATING' || status === 'UPDATING' || status === 'DELETING';
  if (isBusy) throw inUse(`Nodegroup ${ref.nodegroupName} is ${status}: one update at a time`, ref);
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

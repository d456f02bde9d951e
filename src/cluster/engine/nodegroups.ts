/** Implements the operations on node groups: create, describe, list and delete. */

import { randomUUID } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import { ClusterError } from '../cluster-error.ts';
import type {
  Cluster,
  ClusterService,
  CreateNodegroupRequest,
  Nodegroup,
  NodegroupRef,
} from '../cluster-service.ts';
import { checkNewNodegroup, checkScaling, checkUpdateSettings } from '../rules/check.ts';
import type { NodegroupRecord } from '../rules/records.ts';
import { MAX_PAGE } from '../rules/shapes.ts';
import { nodegroupArn, type Owner } from './arn.ts';
import { type CallContext, inUse, tooMany } from './context.ts';
import { pageOf, readPageToken } from './page-token.ts';

/** The maximum number of node groups in a cluster. */
const MAX_NODEGROUPS = 30;
const DEFAULT_SCALING = { minSize: 1, desiredSize: 2, maxSize: 2 };
const DEFAULT_UPDATE_CONFIG = { maxUnavailable: 1 };
/** The default disk size in GiB. */
const DEFAULT_DISK_SIZE = 20;

type Calls = Pick<
  ClusterService,
  'createNodegroup' | 'deleteNodegroup' | 'describeNodegroup' | 'listNodegroups'
>;

export function nodegroupCalls(context: CallContext): Calls {
  const { store, owner } = context;
  return {
    async createNodegroup(request: CreateNodegroupRequest): Promise<Nodegroup> {
      return context.change('createNodegroup', request, (parsed, now) => {
        const { project } = owner;
        const { clusterName, nodegroupName: name } = parsed;
        const concerned = { clusterName, nodegroupName: name };
        const { cluster } = context.clusterOf(clusterName);
        const scalingConfig = parsed.scalingConfig ?? DEFAULT_SCALING;
        const updateConfig = parsed.updateConfig ?? DEFAULT_UPDATE_CONFIG;
        const group = defined({ ...parsed, scalingConfig, updateConfig }) as CreateNodegroupRequest;
        checkNewNodegroup(group);
        checkScaling(scalingConfig, group);
        checkUpdateSettings(updateConfig, scalingConfig, group);
        if (store.nodegroups.get({ project, cluster: clusterName, name }))
          throw inUse(
            `NodeGroup already exists with name ${name} and cluster name ${clusterName}`,
            concerned,
          );
        if (cluster.status !== 'ACTIVE') throw notActive(cluster);
        if (store.nodegroups.count(project, clusterName) >= MAX_NODEGROUPS)
          throw tooMany(
            `node groups: the limit of ${MAX_NODEGROUPS} for each cluster is reached`,
            concerned,
          );
        const nodegroup = newNodegroup(owner, { ...group, cluster, now });
        const dueAt = now + store.durations.createNodegroupMs;
        const nodes = { running: 0, unavailable: 0 };
        store.nodegroups.put(project, { nodegroup, nodes, work: { kind: 'creating', dueAt } });
        return nodegroup;
      });
    },
    async describeNodegroup(request: NodegroupRef): Promise<Nodegroup> {
      return context.read(
        'describeNodegroup',
        request,
        (ref) => context.nodegroupOf(ref).nodegroup,
      );
    },
    async listNodegroups(request: Parameters<ClusterService['listNodegroups']>[0]) {
      return context.read('listNodegroups', request, ({ clusterName, maxResults, nextToken }) => {
        context.clusterOf(clusterName);
        const limit = maxResults ?? MAX_PAGE;
        const list = `nodegroups/${clusterName}`;
        const after = readPageToken(list, nextToken) ?? '';
        const { project } = owner;
        const slice = { after, limit: limit + 1 };
        const names = store.nodegroups.names(project, clusterName, slice);
        const { page, ...next } = pageOf(list, names, limit);
        return { nodegroups: page, ...next };
      });
    },
    async deleteNodegroup(request: NodegroupRef): Promise<Nodegroup> {
      return context.change('deleteNodegroup', request, (ref, now) => {
        const { nodegroup, nodes } = context.nodegroupOf(ref);
        const { status } = nodegroup;
        if (status === 'CREATING' || status === 'UPDATING' || status === 'DELETING')
          throw inUse(`Nodegroup ${ref.nodegroupName} is ${status}`, ref);
        const deleting: Nodegroup = { ...nodegroup, status: 'DELETING', modifiedAt: now };
        const dueAt = now + store.durations.deleteNodegroupMs;
        const record: NodegroupRecord = {
          nodegroup: deleting,
          nodes,
          work: { kind: 'deleting', dueAt },
        };
        store.nodegroups.put(owner.project, record);
        return deleting;
      });
    },
  };
}

function newNodegroup(
  owner: Owner,
  { cluster, now, ...request }: CreateNodegroupRequest & { cluster: Cluster; now: number },
): Nodegroup {
  const { clientRequestToken: _, clusterName, nodegroupName, ...members } = request;
  const id = randomUUID();
  const nodegroup = {
    capacityType: 'ON_DEMAND',
    version: cluster.version,
    labels: {},
    subnets: [],
    tags: {},
    taints: [],
    ...(!members.launchTemplate && { diskSize: DEFAULT_DISK_SIZE }),
    ...members,
    clusterName,
    nodegroupName,
    nodegroupArn: nodegroupArn(owner, { clusterName, nodegroupName, id }),
    status: 'CREATING',
    createdAt: now,
    modifiedAt: now,
    resources: { autoScalingGroups: [{ name: `eks-${nodegroupName}-${id}` }] },
    health: { issues: [] },
  };
  return nodegroup as unknown as Nodegroup;
}

function notActive({ name: clusterName }: Cluster): ClusterError {
  const message = `Cluster '${clusterName}' is not in ACTIVE status`;
  return new ClusterError('InvalidRequestException', message, { clusterName });
}

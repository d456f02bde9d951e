/** Implements the operations on clusters: create, describe, list and delete. */

import { defined } from '../../base/defined.ts';
import type {
  Cluster,
  ClusterRef,
  ClusterService,
  CreateClusterRequest,
} from '../cluster-service.ts';
import { MAX_PAGE } from '../rules/shapes.ts';
import { clusterArn } from './arn.ts';
import { type CallContext, inUse, tooMany } from './context.ts';
import { pageOf, readPageToken } from './page-token.ts';

/** The maximum number of clusters in a project. */
const MAX_CLUSTERS = 100;
const DEFAULT_VERSION = '1.34';
const PLATFORM_VERSION = 'holdfast.1';

type Calls = Pick<
  ClusterService,
  'createCluster' | 'deleteCluster' | 'describeCluster' | 'listClusters'
>;

export function clusterCalls(context: CallContext): Calls {
  const { store, owner } = context;
  return {
    async createCluster(request: CreateClusterRequest): Promise<Cluster> {
      return context.change('createCluster', request, (parsed, now) => {
        const { project } = owner;
        const { name } = parsed;
        if (store.clusters.get({ project, name }))
          throw inUse(`Cluster already exists with name: ${name}`, { clusterName: name });
        if (store.clusters.count(project) >= MAX_CLUSTERS)
          throw tooMany(`clusters: the limit of ${MAX_CLUSTERS} for each project is reached`, {
            clusterName: name,
          });
        const { clientRequestToken: _, resourcesVpcConfig = {}, tags = {}, ...members } = parsed;
        const cluster = defined({
          version: DEFAULT_VERSION,
          ...members,
          resourcesVpcConfig,
          tags,
          arn: clusterArn(owner, name),
          createdAt: now,
          status: 'CREATING' as const,
          platformVersion: PLATFORM_VERSION,
          health: { issues: [] },
        }) as Cluster;
        const dueAt = now + store.durations.createClusterMs;
        store.clusters.put(project, { cluster, work: { kind: 'creating', dueAt } });
        return cluster;
      });
    },
    async describeCluster(request: ClusterRef): Promise<Cluster> {
      return context.read('describeCluster', request, ({ clusterName }) => {
        return context.clusterOf(clusterName).cluster;
      });
    },
    async listClusters(request: Parameters<ClusterService['listClusters']>[0]) {
      return context.read('listClusters', request, ({ maxResults = MAX_PAGE, nextToken }) => {
        const after = readPageToken('clusters', nextToken) ?? '';
        const names = store.clusters.names(owner.project, { after, limit: maxResults + 1 });
        const { page, ...next } = pageOf('clusters', names, maxResults);
        return { clusters: page, ...next };
      });
    },
    async deleteCluster(request: ClusterRef): Promise<Cluster> {
      return context.change('deleteCluster', request, ({ clusterName }, now) => {
        const { project } = owner;
        const { cluster } = context.clusterOf(clusterName);
        if (store.nodegroups.count(project, clusterName) > 0)
          throw inUse('Cluster has nodegroups attached', { clusterName });
        if (cluster.status === 'CREATING' || cluster.status === 'DELETING')
          throw inUse(`Cluster ${clusterName} is ${cluster.status}`, { clusterName });
        const deleting: Cluster = { ...cluster, status: 'DELETING' };
        const dueAt = now + store.durations.deleteClusterMs;
        store.clusters.put(project, { cluster: deleting, work: { kind: 'deleting', dueAt } });
        return deleting;
      });
    },
  };
}

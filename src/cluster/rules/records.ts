/** What is kept of a cluster and of a node group: as it is told, and what it is on its way to. */

import type {
  Cluster,
  LaunchTemplate,
  Nodegroup,
  ScalingConfig,
  StringMap,
  Taint,
  Update,
  UpdateSettings,
} from '../cluster-service.ts';

/** How long each step takes, in milliseconds. */
export interface Durations {
  readonly createClusterMs: number;
  readonly deleteClusterMs: number;
  readonly createNodegroupMs: number;
  readonly deleteNodegroupMs: number;
  /** One batch of nodes that are started, replaced or ended. */
  readonly batchMs: number;
}

export interface ClusterRecord {
  readonly cluster: Cluster;
  readonly work?: { readonly kind: 'creating' | 'deleting'; readonly dueAt: number };
}

export interface NodegroupRecord {
  readonly nodegroup: Nodegroup;
  readonly nodes: Nodes;
  readonly work?: NodegroupWork;
}

export interface Nodes {
  /** Machines of the group, those that are away among them. */
  readonly running: number;
  /** Being replaced at this moment. */
  readonly unavailable: number;
}

export type NodegroupWork =
  | { readonly kind: 'creating' | 'deleting'; readonly dueAt: number }
  | UpdateWork;

export interface UpdateWork {
  readonly kind: 'updating';
  readonly updateId: string;
  /** When the batch that is under way is over. */
  readonly dueAt: number;
  readonly target: NodegroupTarget;
  /** Of an update that replaces nodes: how many have been. */
  readonly replaced?: number;
}

/** What the group has when its update is over. */
export interface NodegroupTarget {
  readonly labels: StringMap;
  readonly taints: readonly Taint[];
  readonly scalingConfig: ScalingConfig;
  readonly updateConfig: UpdateSettings;
  readonly version: string;
  readonly releaseVersion?: string;
  readonly launchTemplate?: LaunchTemplate;
}

export interface UpdateRecord {
  readonly clusterName: string;
  readonly nodegroupName: string;
  readonly update: Update;
}

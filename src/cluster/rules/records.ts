/**
 * Defines the stored records of clusters, node groups and updates. A record contains the description that responses
 * contain, and the work in progress.
 */

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

/** The duration of each step in milliseconds. */
export interface Durations {
  readonly createClusterMs: number;
  readonly deleteClusterMs: number;
  readonly createNodegroupMs: number;
  readonly deleteNodegroupMs: number;
  /** The duration of one update batch. A batch adds, replaces or removes nodes. */
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
  /** The number of nodes in the group, including unavailable nodes. */
  readonly running: number;
  /** The number of nodes that are being replaced. */
  readonly unavailable: number;
}

export type NodegroupWork =
  | { readonly kind: 'creating' | 'deleting'; readonly dueAt: number }
  | UpdateWork;

export interface UpdateWork {
  readonly kind: 'updating';
  readonly updateId: string;
  /** When the current batch ends, in milliseconds since 1970. */
  readonly dueAt: number;
  readonly target: NodegroupTarget;
  /**
   * The number of nodes replaced so far, including those in the current batch. Absent if the update replaces no nodes.
   */
  readonly replaced?: number;
}

/** The settings of a node group after a successful update. */
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

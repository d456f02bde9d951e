/**
 * Defines the operations of the cluster service (specification "Container Cluster Node-Group Interface"): on clusters,
 * node groups, updates of node groups, and tags. The engine and the client implement the interface with the same
 * behavior.
 *
 * All methods can reject with ClusterError. The methods of the client can also reject with TransportError.
 */

export interface ClusterService {
  createCluster(request: CreateClusterRequest, options?: CallOptions): Promise<Cluster>;
  describeCluster(request: ClusterRef, options?: CallOptions): Promise<Cluster>;
  /** Returns a page of cluster names in byte order. */
  listClusters(
    request: PageRequest,
    options?: CallOptions,
  ): Promise<Paged & { readonly clusters: readonly string[] }>;
  /**
   * Starts to delete a cluster. The cluster must not have node groups. It becomes `DELETING`, and is removed some
   * time later.
   */
  deleteCluster(request: ClusterRef, options?: CallOptions): Promise<Cluster>;

  createNodegroup(request: CreateNodegroupRequest, options?: CallOptions): Promise<Nodegroup>;
  describeNodegroup(request: NodegroupRef, options?: CallOptions): Promise<Nodegroup>;
  /** Returns a page of the names of a cluster's node groups in byte order. */
  listNodegroups(
    request: ClusterRef & PageRequest,
    options?: CallOptions,
  ): Promise<Paged & { readonly nodegroups: readonly string[] }>;
  deleteNodegroup(request: NodegroupRef, options?: CallOptions): Promise<Nodegroup>;

  /**
   * Starts an update of the settings of a node group. The settings change when the update becomes `Successful`. If the
   * update becomes `Failed`, they do not change.
   */
  updateNodegroupConfig(request: UpdateConfigRequest, options?: CallOptions): Promise<Update>;
  updateNodegroupVersion(request: UpdateVersionRequest, options?: CallOptions): Promise<Update>;
  describeUpdate(request: UpdateRef, options?: CallOptions): Promise<Update>;
  /**
   * Cancels an update that is `InProgress`. The update becomes `Cancelled`, and the settings of the node group do not
   * change.
   */
  cancelUpdate(request: UpdateRef, options?: CallOptions): Promise<Update>;
  /**
   * Returns a page of a node group's update IDs, newest first. Without `nodegroupName`, returns the IDs of updates of
   * the cluster itself.
   */
  listUpdates(
    request: ClusterRef & { readonly nodegroupName?: string } & PageRequest,
    options?: CallOptions,
  ): Promise<Paged & { readonly updateIds: readonly string[] }>;

  listTags(request: ResourceRef, options?: CallOptions): Promise<StringMap>;
  tagResource(
    request: ResourceRef & { readonly tags: StringMap },
    options?: CallOptions,
  ): Promise<void>;
  untagResource(
    request: ResourceRef & { readonly tagKeys: readonly string[] },
    options?: CallOptions,
  ): Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export type StringMap = Readonly<Record<string, string>>;

export interface ClusterRef {
  readonly clusterName: string;
}

export interface NodegroupRef extends ClusterRef {
  readonly nodegroupName: string;
}

export interface UpdateRef extends ClusterRef {
  readonly updateId: string;
  /** If present, the update must belong to this node group. */
  readonly nodegroupName?: string;
}

/** Identifies a cluster or a node group by its ARN. */
export interface ResourceRef {
  readonly resourceArn: string;
}

export interface PageRequest {
  /** The maximum number of results, from 1 to 100. Default: 100. */
  readonly maxResults?: number;
  readonly nextToken?: string;
}

export interface Paged {
  /** The token for the next page. Present only if there is another page. */
  readonly nextToken?: string;
}

/**
 * A request that may have an idempotency token. A retry with the same token and content changes nothing and returns
 * the response of the first request.
 */
export interface Idempotent {
  readonly clientRequestToken?: string;
}

/** A cluster. Times are in milliseconds since 1970; in HTTP messages, they are in seconds. */
export interface Cluster {
  readonly name: string;
  readonly arn: string;
  readonly createdAt: number;
  readonly version: string;
  readonly status: ClusterStatus;
  readonly platformVersion: string;
  readonly tags: StringMap;
  readonly resourcesVpcConfig: VpcConfig;
  readonly certificateAuthority?: { readonly data?: string };
  readonly remoteAccessConfig?: RemoteAccess;
  readonly kubernetesNetworkConfig?: NetworkConfig;
  readonly roleArn?: string;
  readonly health: Health;
  readonly legacyClusterParams?: LegacyClusterParams;
}

export type ClusterStatus = 'CREATING' | 'ACTIVE' | 'DELETING' | 'FAILED';

export interface VpcConfig {
  readonly securityGroupIds?: readonly string[];
  readonly subnetIds?: readonly string[];
  readonly vpcId?: string;
}

/** SSH access to the machines. `vmSshKey` is the name of a key pair. */
export interface RemoteAccess {
  readonly vmSshKey?: string;
}

export interface NetworkConfig {
  readonly ipFamily?: string;
  readonly serviceIpv4Cidr?: string;
  readonly podIpv4Cidr?: string;
}

/**
 * The settings of a legacy cluster (specification, "Cluster"). They are stored and returned unchanged. Sizes are in
 * GiB.
 */
export interface LegacyClusterParams {
  readonly masterConfig?: {
    readonly highAvailability?: boolean;
    readonly mastersInstanceType?: string;
    readonly mastersVolumeType?: string;
    readonly mastersVolumeSize?: number;
    readonly mastersVolumeIops?: number;
    readonly masterPublicIp?: string;
  };
  readonly ingressConfig?: {
    readonly ingressRequired?: boolean;
    readonly ingressPublicIp?: string;
    readonly ingressInstanceType?: string;
    readonly ingressVolumeType?: string;
    readonly ingressVolumeSize?: number;
    readonly ingressVolumeIops?: number;
  };
  readonly dockerRegistryConfig?: {
    readonly dockerRegistryRequired?: boolean;
    readonly dockerRegistryVolumeType?: string;
    readonly dockerRegistryVolumeSize?: number;
    readonly dockerRegistryVolumeIops?: number;
  };
  readonly blkProviderConfig?: {
    readonly blkProviderRequired?: boolean;
    readonly blkUser?: string;
  };
  readonly lbProviderConfig?: { readonly lbProviderRequired?: boolean; readonly lbUser?: string };
  readonly userDataConfig?: {
    readonly userData?: string;
    readonly userDataContentType?: string;
  };
}

export interface Health {
  readonly issues: readonly HealthIssue[];
}

export interface HealthIssue {
  readonly code: string;
  readonly message: string;
  readonly resourceIds: readonly string[];
}

/** A node group. Times are in milliseconds since 1970; in HTTP messages, they are in seconds. */
export interface Nodegroup {
  readonly nodegroupName: string;
  readonly clusterName: string;
  readonly nodegroupArn: string;
  readonly status: NodegroupStatus;
  readonly capacityType: 'ON_DEMAND';
  /** The disk size of each node, in GiB. */
  readonly diskSize?: number;
  /** The instance types of the nodes. Only the first type is used. */
  readonly instanceTypes: readonly string[];
  readonly labels: StringMap;
  readonly launchTemplate?: LaunchTemplate;
  readonly remoteAccess?: RemoteAccess;
  readonly scalingConfig: ScalingConfig;
  readonly subnets: readonly string[];
  readonly tags: StringMap;
  readonly taints: readonly Taint[];
  readonly updateConfig: UpdateSettings;
  readonly version: string;
  readonly releaseVersion?: string;
  readonly amiType?: string;
  readonly nodeRole?: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly resources: { readonly autoScalingGroups: readonly { readonly name: string }[] };
  readonly health: Health;
}

export type NodegroupStatus =
  | 'CREATING'
  | 'ACTIVE'
  | 'UPDATING'
  | 'DELETING'
  | 'CREATE_FAILED'
  | 'DELETE_FAILED'
  | 'DEGRADED';

export interface LaunchTemplate {
  readonly id?: string;
  readonly name?: string;
  readonly version?: string;
}

/** The number of nodes. minSize ≤ desiredSize ≤ maxSize. */
export interface ScalingConfig {
  readonly minSize: number;
  readonly desiredSize: number;
  readonly maxSize: number;
}

/**
 * How many nodes may be unavailable at the same time, as a number or a percentage. Exactly one field must be present.
 */
export interface UpdateSettings {
  readonly maxUnavailable?: number;
  readonly maxUnavailablePercentage?: number;
}

export const TAINT_EFFECTS = ['NO_SCHEDULE', 'NO_EXECUTE', 'PREFER_NO_SCHEDULE'] as const;

/** A taint of the nodes in a group. A node group has at most one taint for each key and effect. */
export interface Taint {
  readonly effect: (typeof TAINT_EFFECTS)[number];
  readonly key: string;
  readonly value?: string;
}

/** An update of a node group. Times are in milliseconds since 1970; in HTTP messages, they are in seconds. */
export interface Update {
  readonly id: string;
  readonly createdAt: number;
  readonly status: UpdateStatus;
  readonly type: 'ConfigUpdate' | 'VersionUpdate';
  readonly params: readonly UpdateParam[];
  readonly errors: readonly UpdateError[];
}

export type UpdateStatus = 'InProgress' | 'Successful' | 'Failed' | 'Cancelled';

export interface UpdateParam {
  readonly type: string;
  readonly value: string;
}

export interface UpdateError {
  readonly errorCode: string;
  readonly errorMessage: string;
  readonly resourceIds: readonly string[];
}

export interface CreateClusterRequest extends Idempotent {
  readonly name: string;
  readonly version?: string;
  readonly tags?: StringMap;
  readonly resourcesVpcConfig?: VpcConfig;
  readonly certificateAuthority?: { readonly data?: string };
  readonly remoteAccessConfig?: RemoteAccess;
  readonly kubernetesNetworkConfig?: NetworkConfig;
  readonly roleArn?: string;
  readonly legacyClusterParams?: LegacyClusterParams;
}

export interface CreateNodegroupRequest extends NodegroupRef, Idempotent {
  readonly instanceTypes: readonly string[];
  readonly capacityType?: 'ON_DEMAND';
  readonly diskSize?: number;
  readonly labels?: StringMap;
  readonly launchTemplate?: LaunchTemplate;
  readonly remoteAccess?: RemoteAccess;
  readonly scalingConfig?: ScalingConfig;
  readonly subnets?: readonly string[];
  readonly tags?: StringMap;
  readonly taints?: readonly Taint[];
  readonly updateConfig?: UpdateSettings;
  readonly version?: string;
  readonly releaseVersion?: string;
  readonly amiType?: string;
  readonly nodeRole?: string;
}

export interface UpdateConfigRequest extends NodegroupRef, Idempotent {
  readonly labels?: LabelChanges;
  readonly scalingConfig?: Partial<ScalingConfig>;
  readonly taints?: TaintChanges;
  readonly updateConfig?: UpdateSettings;
}

export interface LabelChanges {
  readonly addOrUpdateLabels?: StringMap;
  readonly removeLabels?: readonly string[];
}

export interface TaintChanges {
  readonly addOrUpdateTaints?: readonly Taint[];
  /** The taints to remove. They are matched by key and effect. The value is ignored. */
  readonly removeTaints?: readonly Taint[];
}

export interface UpdateVersionRequest extends NodegroupRef, Idempotent {
  /** The new version. Default: the version of the cluster. */
  readonly version?: string;
  readonly releaseVersion?: string;
  readonly launchTemplate?: LaunchTemplate;
}

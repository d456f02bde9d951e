/**
 * The port of the cluster service (specification "Container Cluster Node-Group Interface"): clusters, their node
 * groups, and the updates of these. Engine and client implement it; whoever uses it cannot tell which.
 *
 * All calls reject with ClusterError, the client's also with TransportError.
 */

export interface ClusterService {
  createCluster(request: CreateClusterRequest, options?: CallOptions): Promise<Cluster>;
  describeCluster(request: ClusterRef, options?: CallOptions): Promise<Cluster>;
  /** Names, in byte order. */
  listClusters(
    request: PageRequest,
    options?: CallOptions,
  ): Promise<Paged & { readonly clusters: readonly string[] }>;
  /** Of a cluster without node groups. It is `DELETING` from then on, and gone some time later. */
  deleteCluster(request: ClusterRef, options?: CallOptions): Promise<Cluster>;

  createNodegroup(request: CreateNodegroupRequest, options?: CallOptions): Promise<Nodegroup>;
  describeNodegroup(request: NodegroupRef, options?: CallOptions): Promise<Nodegroup>;
  /** Names, in byte order. */
  listNodegroups(
    request: ClusterRef & PageRequest,
    options?: CallOptions,
  ): Promise<Paged & { readonly nodegroups: readonly string[] }>;
  deleteNodegroup(request: NodegroupRef, options?: CallOptions): Promise<Nodegroup>;

  /** What is asked for holds when the update is `Successful`; one that `Failed` changed nothing. */
  updateNodegroupConfig(request: UpdateConfigRequest, options?: CallOptions): Promise<Update>;
  updateNodegroupVersion(request: UpdateVersionRequest, options?: CallOptions): Promise<Update>;
  describeUpdate(request: UpdateRef, options?: CallOptions): Promise<Update>;
  /** Of an update that is `InProgress`. It is `Cancelled` and changed nothing; the node group keeps what it had. */
  cancelUpdate(request: UpdateRef, options?: CallOptions): Promise<Update>;
  /** Ids of the updates of one node group, the newest first; without it those of the cluster itself. */
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
  /** Where it is given, the update must be of this node group. */
  readonly nodegroupName?: string;
}

/** A cluster or a node group, by its ARN. */
export interface ResourceRef {
  readonly resourceArn: string;
}

export interface PageRequest {
  /** 1 to 100, the default. */
  readonly maxResults?: number;
  readonly nextToken?: string;
}

export interface Paged {
  /** Present exactly when there is more. */
  readonly nextToken?: string;
}

/** A call with the token and content of one before does nothing, and has its answer. */
export interface Idempotent {
  readonly clientRequestToken?: string;
}

/** Times are milliseconds since 1970; on the wire they are seconds. */
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

/** A key pair by its name. */
export interface RemoteAccess {
  readonly vmSshKey?: string;
}

export interface NetworkConfig {
  readonly ipFamily?: string;
  readonly serviceIpv4Cidr?: string;
  readonly podIpv4Cidr?: string;
}

/** The specification, "Cluster": kept and told as they were given. Sizes are GiB. */
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

/** Times are milliseconds since 1970; on the wire they are seconds. */
export interface Nodegroup {
  readonly nodegroupName: string;
  readonly clusterName: string;
  readonly nodegroupArn: string;
  readonly status: NodegroupStatus;
  readonly capacityType: 'ON_DEMAND';
  /** GiB. */
  readonly diskSize?: number;
  /** The first one decides. */
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

/** minSize ≤ desiredSize ≤ maxSize, in nodes. */
export interface ScalingConfig {
  readonly minSize: number;
  readonly desiredSize: number;
  readonly maxSize: number;
}

/** How many nodes, or how many in a hundred, may be away at a time: one of the two. */
export interface UpdateSettings {
  readonly maxUnavailable?: number;
  readonly maxUnavailablePercentage?: number;
}

export const TAINT_EFFECTS = ['NO_SCHEDULE', 'NO_EXECUTE', 'PREFER_NO_SCHEDULE'] as const;

/** One of a key and effect. */
export interface Taint {
  readonly effect: (typeof TAINT_EFFECTS)[number];
  readonly key: string;
  readonly value?: string;
}

/** Times are milliseconds since 1970; on the wire they are seconds. */
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
  /** By key and effect; the value does not matter. */
  readonly removeTaints?: readonly Taint[];
}

export interface UpdateVersionRequest extends NodegroupRef, Idempotent {
  /** The cluster's where it is not given. */
  readonly version?: string;
  readonly releaseVersion?: string;
  readonly launchTemplate?: LaunchTemplate;
}

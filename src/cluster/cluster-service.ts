/**
 * The port of the cluster service (specification "Container Cluster Node-Group Interface"): clusters, their node
 * groups, and the updates of these. Engine and client implement it with the same behavior.
 *
 * All calls reject with ClusterError. Calls of the client also reject with TransportError.
 */

export interface ClusterService {
  createCluster(request: CreateClusterRequest, options?: CallOptions): Promise<Cluster>;
  describeCluster(request: ClusterRef, options?: CallOptions): Promise<Cluster>;
  /** Names, in byte order. */
  listClusters(
    request: PageRequest,
    options?: CallOptions,
  ): Promise<Paged & { readonly clusters: readonly string[] }>;
  /** Requires a cluster without node groups. The cluster becomes `DELETING`, and is removed some time later. */
  deleteCluster(request: ClusterRef, options?: CallOptions): Promise<Cluster>;

  createNodegroup(request: CreateNodegroupRequest, options?: CallOptions): Promise<Nodegroup>;
  describeNodegroup(request: NodegroupRef, options?: CallOptions): Promise<Nodegroup>;
  /** Names, in byte order. */
  listNodegroups(
    request: ClusterRef & PageRequest,
    options?: CallOptions,
  ): Promise<Paged & { readonly nodegroups: readonly string[] }>;
  deleteNodegroup(request: NodegroupRef, options?: CallOptions): Promise<Nodegroup>;

  /** The change is complete when the update is `Successful`. A `Failed` update changes nothing. */
  updateNodegroupConfig(request: UpdateConfigRequest, options?: CallOptions): Promise<Update>;
  updateNodegroupVersion(request: UpdateVersionRequest, options?: CallOptions): Promise<Update>;
  describeUpdate(request: UpdateRef, options?: CallOptions): Promise<Update>;
  /** Requires an update that is `InProgress`. The update becomes `Cancelled`, and the node group keeps its settings. */
  cancelUpdate(request: UpdateRef, options?: CallOptions): Promise<Update>;
  /** Ids of the updates of a node group, newest first. Without `nodegroupName`, ids of the updates of the cluster itself. */
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

/** A cluster or a node group, by its ARN. */
export interface ResourceRef {
  readonly resourceArn: string;
}

export interface PageRequest {
  /** 1 to 100; default 100. */
  readonly maxResults?: number;
  readonly nextToken?: string;
}

export interface Paged {
  /** Present if and only if another page exists. */
  readonly nextToken?: string;
}

/** A retry with the same token and content changes nothing, and returns the response of the first request. */
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

/** `vmSshKey` is the name of a key pair. */
export interface RemoteAccess {
  readonly vmSshKey?: string;
}

export interface NetworkConfig {
  readonly ipFamily?: string;
  readonly serviceIpv4Cidr?: string;
  readonly podIpv4Cidr?: string;
}

/** The specification, "Cluster". Stored and returned unchanged. Sizes are in GiB. */
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
  /** Only the first type is used. */
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

/** The number or percentage of nodes that may be unavailable at the same time. Exactly one member must be present. */
export interface UpdateSettings {
  readonly maxUnavailable?: number;
  readonly maxUnavailablePercentage?: number;
}

export const TAINT_EFFECTS = ['NO_SCHEDULE', 'NO_EXECUTE', 'PREFER_NO_SCHEDULE'] as const;

/** A node group has at most one taint with the same key and effect. */
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
  /** Matched by key and effect; the value is ignored. */
  readonly removeTaints?: readonly Taint[];
}

export interface UpdateVersionRequest extends NodegroupRef, Idempotent {
  /** Default: the version of the cluster. */
  readonly version?: string;
  readonly releaseVersion?: string;
  readonly launchTemplate?: LaunchTemplate;
}

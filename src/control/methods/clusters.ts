/**
 * Defines the control methods for container clusters and their node groups. A request selects the local or a remote
 * cluster service.
 */

import { z } from 'zod';

import { legacyShape, SHAPES } from '../../cluster/rules/shapes.ts';

const texts = z.array(z.string()).readonly();
const textMap = z.record(z.string(), z.string()).readonly();
/** A time in milliseconds since 1970. */
const time = z.number();
const healthSchema = z.object({
  issues: z
    .array(z.object({ code: z.string(), message: z.string(), resourceIds: texts }))
    .readonly(),
});

const remoteAccess = z.object({ vmSshKey: z.string().optional() });

export const clusterSchema = z.object({
  name: z.string(),
  arn: z.string().optional(),
  status: z.string(),
  version: z.string().optional(),
  platformVersion: z.string().optional(),
  createdAt: time.optional(),
  tags: textMap,
  resourcesVpcConfig: z.object({
    securityGroupIds: texts.optional(),
    subnetIds: texts.optional(),
    vpcId: z.string().optional(),
  }),
  certificateAuthority: z.object({ data: z.string().optional() }).optional(),
  remoteAccessConfig: remoteAccess.optional(),
  kubernetesNetworkConfig: z
    .object({
      ipFamily: z.string().optional(),
      serviceIpv4Cidr: z.string().optional(),
      podIpv4Cidr: z.string().optional(),
    })
    .optional(),
  roleArn: z.string().optional(),
  health: healthSchema,
  legacyClusterParams: legacyShape.optional(),
});

const taintSchema = z.object({
  effect: z.string(),
  key: z.string(),
  value: z.string().optional(),
});

export const nodegroupSchema = z.object({
  nodegroupName: z.string(),
  clusterName: z.string(),
  nodegroupArn: z.string().optional(),
  status: z.string(),
  capacityType: z.string().optional(),
  /** The disk size in GiB. */
  diskSize: z.number().optional(),
  instanceTypes: texts,
  labels: textMap,
  remoteAccess: remoteAccess.optional(),
  amiType: z.string().optional(),
  nodeRole: z.string().optional(),
  launchTemplate: z
    .object({
      id: z.string().optional(),
      name: z.string().optional(),
      version: z.string().optional(),
    })
    .optional(),
  scalingConfig: z
    .object({ minSize: z.number(), desiredSize: z.number(), maxSize: z.number() })
    .optional(),
  subnets: texts,
  tags: textMap,
  taints: z.array(taintSchema).readonly(),
  updateConfig: z
    .object({
      maxUnavailable: z.number().optional(),
      maxUnavailablePercentage: z.number().optional(),
    })
    .optional(),
  version: z.string().optional(),
  releaseVersion: z.string().optional(),
  createdAt: time.optional(),
  modifiedAt: time.optional(),
  resources: z.object({ autoScalingGroups: z.array(z.object({ name: z.string() })).readonly() }),
  health: healthSchema,
});

export const updateSchema = z.object({
  id: z.string(),
  createdAt: time.optional(),
  status: z.string(),
  type: z.string(),
  params: z.array(z.object({ type: z.string(), value: z.string() })).readonly(),
  errors: z
    .array(z.object({ errorCode: z.string(), errorMessage: z.string(), resourceIds: texts }))
    .readonly(),
});

const nextToken = z.string().optional();
/** The name of the cluster service. Absent for the local cluster service. */
const service = { service: z.string().min(1).max(63).optional() };

export const CLUSTER_METHODS = {
  /**
   * Returns the cluster services. `missing` lists the operations that the service does not support, as far as is
   * known.
   */
  'clusters.services': {
    summary: 'list the cluster services',
    danger: 'reads',

    params: z.object({}),
    result: z.object({
      services: z.array(z.object({ name: z.string(), url: z.string(), missing: texts })),
    }),
  },
  'clusters.list': {
    summary: 'list the clusters',
    danger: 'reads',

    params: SHAPES.listClusters.extend(service),
    result: z.object({ clusters: texts, nextToken }),
  },
  'clusters.describe': {
    summary: 'describe a cluster',
    danger: 'reads',
    params: SHAPES.describeCluster.extend(service),
    result: clusterSchema,
  },
  'clusters.create': {
    summary: 'create a cluster',
    danger: 'changes',
    params: SHAPES.createCluster.extend(service),
    result: clusterSchema,
  },
  'clusters.delete': {
    summary: 'delete a cluster',
    danger: 'destroys',
    params: SHAPES.deleteCluster.extend(service),
    result: clusterSchema,
  },
  'nodegroups.list': {
    summary: 'list the node groups of a cluster',
    danger: 'reads',

    params: SHAPES.listNodegroups.extend(service),
    result: z.object({ nodegroups: texts, nextToken }),
  },
  'nodegroups.describe': {
    summary: 'describe a node group',
    danger: 'reads',

    params: SHAPES.describeNodegroup.extend(service),
    result: nodegroupSchema,
  },
  'nodegroups.create': {
    summary: 'create a node group',
    danger: 'changes',
    params: SHAPES.createNodegroup.extend(service),
    result: nodegroupSchema,
  },
  'nodegroups.delete': {
    summary: 'delete a node group',
    danger: 'destroys',
    params: SHAPES.deleteNodegroup.extend(service),
    result: nodegroupSchema,
  },
  'nodegroups.updateConfig': {
    summary: 'change the configuration of a node group',
    danger: 'changes',

    params: SHAPES.updateNodegroupConfig.extend(service),
    result: updateSchema,
  },
  'nodegroups.updateVersion': {
    summary: 'update the version of a node group',
    danger: 'changes',

    params: SHAPES.updateNodegroupVersion.extend(service),
    result: updateSchema,
  },
  /** Returns the IDs of a node group's updates, newest first. */
  'nodegroups.updates': {
    summary: 'list the IDs of updates, newest first',
    danger: 'reads',

    params: SHAPES.listUpdates.extend(service),
    result: z.object({ updateIds: texts, nextToken }),
  },
  'nodegroups.describeUpdate': {
    summary: 'describe an update',
    danger: 'reads',

    params: SHAPES.describeUpdate.extend(service),
    result: updateSchema,
  },
  /** Returns the tags of the cluster or node group with the given ARN. */
  'clusters.tags': {
    summary: 'return the tags of a cluster or a node group',
    danger: 'reads',

    params: SHAPES.listTags.extend(service),
    result: z.object({ tags: textMap }),
  },
  'clusters.tag': {
    summary: 'set tags of a cluster or a node group',
    danger: 'changes',
    params: SHAPES.tagResource.extend(service),
    result: z.object({}),
  },
  'clusters.untag': {
    summary: 'remove tags of a cluster or a node group',
    danger: 'changes',
    params: SHAPES.untagResource.extend(service),
    result: z.object({}),
  },
} as const;

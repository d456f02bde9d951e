/**
 * Defines the fields of each request, with their types and limits. Unknown fields are ignored, because EKS tools send
 * more fields than the specification defines (semantics B.19, "Validation").
 */

import { z } from 'zod';

import { hasPrototypeName, PROTOTYPE_NAME } from '../../base/own-member.ts';
import { TAINT_EFFECTS } from '../cluster-service.ts';

export const MAX_CLUSTER_NAME = 100;
export const MAX_NODEGROUP_NAME = 63;
/** The maximum length of a label key or label value (specification, "Limits"). */
export const MAX_LABEL = 63;
export const MAX_LABELS = 50;
export const MAX_TAINTS = 50;
export const MAX_TAGS = 50;
export const MAX_PAGE = 100;
const MAX_TAG_KEY = 128;
const MAX_TAG_VALUE = 256;
const MAX_NODES = 450;
const MAX_LIST = 100;
const MAX_TEXT = 256;
/**
 * The maximum length of user data: 16 KiB in base64. A machine runs its user data when it starts.
 */
const MAX_USER_DATA = 22_000;

const NAME = /^[0-9A-Za-z][A-Za-z0-9\-_]*$/;
/**
 * Matches a label value, or the name part of a label key. In a key, a DNS name and a slash may
 * precede the name.
 */
const LABEL = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const DNS_PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
/** Matches label prefixes that are reserved for Kubernetes and EKS. */
const RESERVED_LABEL = /^([^/]*\.)?(kubernetes\.io|k8s\.io|eks\.amazonaws\.com)\//;

const typed = (what: string) => (issue: { readonly input: unknown }) =>
  issue.input === undefined ? 'is required' : `must be ${what}`;

const text = (max = MAX_TEXT) =>
  z.string({ error: typed('a string') }).check(
    z.refine((value) => value.length >= 1 && value.length <= max, {
      error: ({ input }) => `must have 1 to ${max} characters, not ${String(input).length}`,
    }),
  );
const whole = (min: number, max: number) =>
  z.number({ error: typed('a number') }).check(
    z.refine((value) => Number.isInteger(value) && value >= min && value <= max, {
      error: ({ input }) => `must be a whole number from ${min} to ${max}, not ${String(input)}`,
    }),
  );
const flag = () => z.boolean({ error: typed('true or false') });
const object = <S extends z.core.$ZodShape>(shape: S) =>
  z.object(shape, { error: typed('an object') });
const list = <T extends z.ZodType>(item: T, max = MAX_LIST) =>
  z
    .array(item, { error: typed('a list') })
    .max(max, { error: ({ input }) => `must have at most ${max} members, not ${lengthOf(input)}` });

const lengthOf = (input: unknown): number => (Array.isArray(input) ? input.length : 0);

const name = (max: number) =>
  text(max).regex(NAME, 'must be letters, digits, - and _, and begin with a letter or a digit');
const clusterName = name(MAX_CLUSTER_NAME);
const nodegroupName = name(MAX_NODEGROUP_NAME);

/**
 * Returns the type of a field that maps strings to strings. Each entry is checked separately, so that the error
 * contains its key.
 */
function map(max: number, check: (key: string, value: string) => string | undefined) {
  const values = z.record(z.string(), z.string({ error: typed('a string') }), {
    error: typed('an object of strings'),
  });
  const checked = values.check(
    z.superRefine((members, context) => {
      const { length } = Object.keys(members);
      if (length > max) context.addIssue(`must have at most ${max} members, not ${length}`);
      for (const [key, value] of Object.entries(members)) {
        const problem = check(key, value);
        if (problem !== undefined)
          context.addIssue({ code: 'custom', message: problem, path: [key] });
      }
    }),
  );
  return z.preprocess((members, context) => {
    if (hasPrototypeName(members))
      context.addIssue({ code: 'custom', message: 'the key is reserved', path: [PROTOTYPE_NAME] });
    return members;
  }, checked);
}

const labelMap = map(MAX_LABELS, (key, value) => labelKeyProblem(key) ?? labelValueProblem(value));
const tagMap = map(MAX_TAGS, (key, value) => {
  if (key.length < 1 || key.length > MAX_TAG_KEY)
    return `the key must have 1 to ${MAX_TAG_KEY} characters, not ${key.length}`;
  if (value.length > MAX_TAG_VALUE)
    return `the value must have at most ${MAX_TAG_VALUE} characters, not ${value.length}`;
  return undefined;
});

function labelKeyProblem(key: string): string | undefined {
  if (key.length < 1 || key.length > MAX_LABEL)
    return `the key must have 1 to ${MAX_LABEL} characters, not ${key.length}`;
  if (RESERVED_LABEL.test(key)) return 'the key has a prefix that is reserved for the orchestrator';
  const slash = key.indexOf('/');
  const isPrefixed = slash >= 0;
  if (isPrefixed && !DNS_PREFIX.test(key.slice(0, slash)))
    return 'the key must be a name, or a DNS name, a slash and a name';
  return LABEL.test(key.slice(slash + 1))
    ? undefined
    : "the key must be letters, digits, '-', '_' or '.', with a letter or digit at both ends";
}

function labelValueProblem(value: string): string | undefined {
  if (value.length < 1 || value.length > MAX_LABEL)
    return `the value must have 1 to ${MAX_LABEL} characters, not ${value.length}`;
  return LABEL.test(value)
    ? undefined
    : "a valid label must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
}

const taint = object({
  effect: z.enum(TAINT_EFFECTS, {
    error: ({ input }) =>
      input === undefined
        ? 'is required'
        : `Invalid taint effect: ${String(input as unknown)}, must be one of these [${TAINT_EFFECTS.join(', ')}]`,
  }),
  key: text(MAX_LABEL),
  value: z
    .string({ error: typed('a string') })
    .max(MAX_LABEL, `must have at most ${MAX_LABEL} characters`)
    .exactOptional(),
});

const nodes = (min: number) => whole(min, MAX_NODES);
const scaling = { minSize: nodes(0), desiredSize: nodes(0), maxSize: nodes(1) };
const updateSettings = object({
  maxUnavailable: whole(1, 100).exactOptional(),
  maxUnavailablePercentage: whole(1, 100).exactOptional(),
});
const launchTemplate = object({
  id: text().exactOptional(),
  name: text().exactOptional(),
  version: text().exactOptional(),
});
const remoteAccess = object({ vmSshKey: text().exactOptional() });
const token = { clientRequestToken: text().exactOptional() };
const size = whole(1, 65_536).exactOptional();
const iops = whole(1, 1_000_000).exactOptional();
const word = text().exactOptional();

export const legacyShape = object({
  masterConfig: object({
    highAvailability: flag().exactOptional(),
    mastersInstanceType: word,
    mastersVolumeType: word,
    mastersVolumeSize: size,
    mastersVolumeIops: iops,
    masterPublicIp: word,
  }).exactOptional(),
  ingressConfig: object({
    ingressRequired: flag().exactOptional(),
    ingressPublicIp: word,
    ingressInstanceType: word,
    ingressVolumeType: word,
    ingressVolumeSize: size,
    ingressVolumeIops: iops,
  }).exactOptional(),
  dockerRegistryConfig: object({
    dockerRegistryRequired: flag().exactOptional(),
    dockerRegistryVolumeType: word,
    dockerRegistryVolumeSize: size,
    dockerRegistryVolumeIops: iops,
  }).exactOptional(),
  blkProviderConfig: object({
    blkProviderRequired: flag().exactOptional(),
    blkUser: word,
  }).exactOptional(),
  lbProviderConfig: object({
    lbProviderRequired: flag().exactOptional(),
    lbUser: word,
  }).exactOptional(),
  userDataConfig: object({
    userData: text(MAX_USER_DATA).exactOptional(),
    userDataContentType: word,
  }).exactOptional(),
});

const page = {
  maxResults: whole(1, MAX_PAGE).exactOptional(),
  nextToken: text(1_024).exactOptional(),
};
const clusterRef = { clusterName };
const nodegroupRef = { clusterName, nodegroupName };
const resource = { resourceArn: text(2_048) };

/** The fields of each request, by method of `ClusterService`. */
export const SHAPES = {
  createCluster: object({
    name: clusterName,
    version: word,
    tags: tagMap.exactOptional(),
    resourcesVpcConfig: object({
      securityGroupIds: list(text()).exactOptional(),
      subnetIds: list(text()).exactOptional(),
      vpcId: word,
    }).exactOptional(),
    certificateAuthority: object({ data: text(MAX_USER_DATA).exactOptional() }).exactOptional(),
    remoteAccessConfig: remoteAccess.exactOptional(),
    kubernetesNetworkConfig: object({
      ipFamily: z.enum(['ipv4', 'ipv6'], 'must be ipv4 or ipv6').exactOptional(),
      serviceIpv4Cidr: word,
      podIpv4Cidr: word,
    }).exactOptional(),
    roleArn: text(2_048).exactOptional(),
    legacyClusterParams: legacyShape.exactOptional(),
    ...token,
  }),
  describeCluster: object(clusterRef),
  listClusters: object(page),
  deleteCluster: object(clusterRef),
  createNodegroup: object({
    ...nodegroupRef,
    instanceTypes: list(text()).min(1, 'must have at least one type; all nodes get the first type'),
    capacityType: z.literal('ON_DEMAND', 'must be ON_DEMAND').exactOptional(),
    diskSize: whole(1, 65_536).exactOptional(),
    labels: labelMap.exactOptional(),
    launchTemplate: launchTemplate.exactOptional(),
    remoteAccess: remoteAccess.exactOptional(),
    scalingConfig: object(scaling).exactOptional(),
    subnets: list(text()).exactOptional(),
    tags: tagMap.exactOptional(),
    taints: list(taint, MAX_TAINTS).exactOptional(),
    updateConfig: updateSettings.exactOptional(),
    version: word,
    releaseVersion: word,
    amiType: word,
    nodeRole: text(2_048).exactOptional(),
    ...token,
  }),
  describeNodegroup: object(nodegroupRef),
  listNodegroups: object({ ...clusterRef, ...page }),
  deleteNodegroup: object(nodegroupRef),
  updateNodegroupConfig: object({
    ...nodegroupRef,
    labels: object({
      addOrUpdateLabels: labelMap.exactOptional(),
      removeLabels: list(text(MAX_LABEL), MAX_LABELS).exactOptional(),
    }).exactOptional(),
    scalingConfig: object({
      minSize: scaling.minSize.exactOptional(),
      desiredSize: scaling.desiredSize.exactOptional(),
      maxSize: scaling.maxSize.exactOptional(),
    }).exactOptional(),
    taints: object({
      addOrUpdateTaints: list(taint, MAX_TAINTS).exactOptional(),
      removeTaints: list(taint, MAX_TAINTS).exactOptional(),
    }).exactOptional(),
    updateConfig: updateSettings.exactOptional(),
    ...token,
  }),
  updateNodegroupVersion: object({
    ...nodegroupRef,
    version: word,
    releaseVersion: word,
    launchTemplate: launchTemplate.exactOptional(),
    ...token,
  }),
  describeUpdate: object({
    ...clusterRef,
    updateId: text(),
    nodegroupName: nodegroupName.exactOptional(),
  }),
  cancelUpdate: object({
    ...clusterRef,
    updateId: text(),
    nodegroupName: nodegroupName.exactOptional(),
  }),
  listUpdates: object({ ...clusterRef, nodegroupName: nodegroupName.exactOptional(), ...page }),
  listTags: object(resource),
  tagResource: object({ ...resource, tags: tagMap }),
  untagResource: object({
    ...resource,
    tagKeys: list(text(MAX_TAG_KEY), MAX_TAGS).min(1, 'must have at least one member'),
  }),
} as const;

/**
 * Clusters and node groups of the fake daemon. The cluster `prod` has the group `workers`, and the
 * group `gpu` with a running update.
 */

import type { Result } from '../../../src/control/messages.ts';
import type { Answers } from './seeded-daemon.ts';
import { NOW } from './seeds.ts';

type Nodegroup = Result<'nodegroups.describe'>;

export function seededNodegroup(changes: Partial<Nodegroup> = {}): Nodegroup {
  return {
    nodegroupName: 'workers',
    clusterName: 'prod',
    nodegroupArn: 'arn:aws:eks:local:project:nodegroup/prod/workers/1',
    status: 'ACTIVE',
    capacityType: 'ON_DEMAND',
    diskSize: 50,
    instanceTypes: ['m5.large'],
    labels: { env: 'prod', team: 'core' },
    scalingConfig: { minSize: 1, desiredSize: 3, maxSize: 5 },
    subnets: ['subnet-1', 'subnet-2'],
    tags: {},
    taints: [],
    updateConfig: { maxUnavailable: 1 },
    version: '1.30',
    createdAt: NOW - 86_400_000,
    modifiedAt: NOW - 60_000,
    resources: { autoScalingGroups: [{ name: 'workers-asg' }] },
    health: { issues: [] },
    ...changes,
  };
}

const gpu = seededNodegroup({
  nodegroupName: 'gpu',
  status: 'UPDATING',
  instanceTypes: ['g4.xlarge'],
  scalingConfig: { minSize: 0, desiredSize: 2, maxSize: 4 },
  taints: [{ key: 'gpu', value: 'yes', effect: 'NO_SCHEDULE' }],
  health: { issues: [{ code: 'NodeCreationFailure', message: 'no machine', resourceIds: [] }] },
});

const update = {
  id: '7c1e',
  createdAt: NOW - 7_200_000,
  status: 'Successful',
  type: 'ConfigUpdate',
  params: [{ type: 'DesiredSize', value: '3' }],
  errors: [],
};

export const clusterAnswers: Answers = {
  'clusters.services': () => ({
    services: [{ name: 'local', url: 'this machine', missing: [] }],
  }),
  'clusters.list': () => ({ clusters: ['prod'] }),
  'clusters.describe': () => ({
    name: 'prod',
    arn: 'arn:aws:eks:local:project:cluster/prod',
    status: 'ACTIVE',
    version: '1.30',
    createdAt: NOW - 30 * 86_400_000,
    tags: { owner: 'ada' },
    resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] },
    health: { issues: [] },
  }),
  'nodegroups.list': () => ({ nodegroups: ['workers', 'gpu'] }),
  'nodegroups.describe': ({ nodegroupName }) =>
    nodegroupName === 'gpu' ? gpu : seededNodegroup({ nodegroupName }),
  'nodegroups.updates': () => ({ updateIds: [update.id] }),
  'nodegroups.describeUpdate': () => update,
  'nodegroups.updateConfig': () => update,
  'nodegroups.delete': ({ nodegroupName }) =>
    seededNodegroup({ nodegroupName, status: 'DELETING' }),
};

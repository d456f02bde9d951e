/**
 * Contract tests of the interface `ClusterService`, one for each statement of its documentation. Each
 * implementation runs them with one call of `testClusterService`.
 */

import { describe, expect, test } from 'vitest';

import type { UserPrincipal } from '../../src/base/principal.ts';
import type {
  ClusterService,
  CreateNodegroupRequest,
  Taint,
} from '../../src/cluster/cluster-service.ts';
import type { FakeClock } from '../helpers/fake-clock.ts';
import { DURATIONS } from '../helpers/test-clusters.ts';

export interface ClusterSubject {
  readonly clock: FakeClock;
  /**
   * Returns the service as a user with full access to a project sees it. `who` overrides fields of the
   * user.
   */
  readonly service: (who?: Partial<UserPrincipal>) => ClusterService;
}

/** Opens the service under test. The service is closed at the end of the current test. */
export type OpenClusters = () => Promise<ClusterSubject>;

const REF = { clusterName: 'prod', nodegroupName: 'workers' };
const GROUP = { ...REF, instanceTypes: ['m1.large', 'm1.small'] };
const LARGEST = 'x'.repeat(63);
const TAINT: Taint = { effect: 'NO_SCHEDULE', key: 'dedicated', value: 'web' };

const LEGACY = {
  masterConfig: {
    highAvailability: true,
    mastersInstanceType: 'm1.large',
    mastersVolumeType: 'gp2',
    mastersVolumeSize: 32,
    mastersVolumeIops: 100,
    masterPublicIp: '203.0.113.1',
  },
  ingressConfig: {
    ingressRequired: true,
    ingressPublicIp: '203.0.113.2',
    ingressInstanceType: 'm1.small',
    ingressVolumeType: 'gp2',
    ingressVolumeSize: 32,
    ingressVolumeIops: 100,
  },
  dockerRegistryConfig: {
    dockerRegistryRequired: true,
    dockerRegistryVolumeType: 'gp2',
    dockerRegistryVolumeSize: 100,
    dockerRegistryVolumeIops: 100,
  },
  blkProviderConfig: { blkProviderRequired: true, blkUser: 'blk' },
  lbProviderConfig: { lbProviderRequired: false, lbUser: 'lb' },
  userDataConfig: { userData: 'IyEvYmluL3No', userDataContentType: 'text/x-shellscript' },
};

export function testClusterService(name: string, open: OpenClusters): void {
  const openCluster = async () => {
    const subject = await open();
    const service = subject.service();
    const cluster = await service.createCluster({ name: REF.clusterName });
    subject.clock.advance(DURATIONS.createClusterMs);
    return { ...subject, ours: service, cluster };
  };
  const openGroup = async (members: Partial<CreateNodegroupRequest> = {}) => {
    const subject = await openCluster();
    const scalingConfig = { minSize: 1, desiredSize: 2, maxSize: 8 };
    const nodegroup = await subject.ours.createNodegroup({ ...GROUP, scalingConfig, ...members });
    subject.clock.advance(DURATIONS.createNodegroupMs);
    const described = () => subject.ours.describeNodegroup(REF);
    const finish = async (ms = 20 * DURATIONS.batchMs) => {
      subject.clock.advance(ms);
      return described();
    };
    return { ...subject, nodegroup, described, finish };
  };
  const refusal = (code: string, text: string | RegExp) => ({
    code,
    message: expect.stringMatching(text) as string,
  });

  describe(`${name}: clusters`, () => {
    test('[eks-1] a new cluster has a name, a creation time and a version, and only its status changes when it becomes ACTIVE', async () => {
      const { ours, cluster, clock } = await openCluster();
      expect(cluster).toMatchObject({
        name: 'prod',
        status: 'CREATING',
        version: expect.any(String) as string,
        platformVersion: expect.any(String) as string,
        createdAt: clock.now() - DURATIONS.createClusterMs,
        health: { issues: [] },
        tags: {},
      });
      expect(await ours.describeCluster(REF)).toEqual({ ...cluster, status: 'ACTIVE' });
    });

    test('[eks-2] a cluster preserves its network, key pair, certificate authority and tags', async () => {
      const subject = await open();
      const members = {
        version: '1.33',
        tags: { team: 'web', createdAt: 'never' },
        resourcesVpcConfig: {
          securityGroupIds: ['sg-1'],
          subnetIds: ['subnet-1', 'subnet-2'],
          vpcId: 'vpc-1',
        },
        certificateAuthority: { data: 'LS0tLS1CRUdJTg==' },
        remoteAccessConfig: { vmSshKey: 'ops' },
        kubernetesNetworkConfig: {
          ipFamily: 'ipv4',
          serviceIpv4Cidr: '10.96.0.0/12',
          podIpv4Cidr: '10.244.0.0/16',
        },
        roleArn: 'arn:aws:iam::1:role/prod',
      };
      const cluster = await subject.service().createCluster({ name: 'prod', ...members });
      expect(cluster).toMatchObject(members);
      expect(await subject.service().describeCluster(REF)).toEqual(cluster);
    });

    test('[eks-3] a cluster preserves every group of its legacy parameters', async () => {
      const subject = await open();
      await subject.service().createCluster({ name: 'prod', legacyClusterParams: LEGACY });
      const { legacyClusterParams } = await subject.service().describeCluster(REF);
      expect(legacyClusterParams).toEqual(LEGACY);
    });

    test('[eks-4] CreateCluster fails if the name exists, or if the project already has 100 clusters', async () => {
      const { ours } = await openCluster();
      await expect(ours.createCluster({ name: 'prod' })).rejects.toMatchObject(
        refusal('ResourceInUseException', 'Cluster already exists with name: prod'),
      );
      for (let index = 1; index < 100; index++) await ours.createCluster({ name: `c-${index}` });
      await expect(ours.createCluster({ name: 'more' })).rejects.toMatchObject(
        refusal('ResourceLimitExceededException', '100'),
      );
    });

    test('[eks-5] a cluster is DELETING until its deletion completes, and its name can then be used again', async () => {
      const { ours, clock } = await openCluster();
      expect(await ours.deleteCluster(REF)).toMatchObject({ name: 'prod', status: 'DELETING' });
      expect((await ours.describeCluster(REF)).status).toBe('DELETING');
      await expect(ours.createNodegroup(GROUP)).rejects.toMatchObject(
        refusal('InvalidRequestException', "Cluster 'prod' is not in ACTIVE status"),
      );
      clock.advance(DURATIONS.deleteClusterMs);
      await expect(ours.describeCluster(REF)).rejects.toMatchObject(
        refusal('ResourceNotFoundException', 'No cluster found for name: prod.'),
      );
      await ours.createCluster({ name: 'prod' });
    });

    test('[eks-6] DeleteCluster of a cluster with node groups fails, and the cluster stays ACTIVE', async () => {
      const { ours, described } = await openGroup();
      await expect(ours.deleteCluster(REF)).rejects.toMatchObject(
        refusal('ResourceInUseException', 'Cluster has nodegroups attached'),
      );
      expect((await ours.describeCluster(REF)).status).toBe('ACTIVE');
      expect((await described()).status).toBe('ACTIVE');
    });

    test('[eks-7] every user of the project can read a cluster, but only a user with full access can change it', async () => {
      const { ours, service } = await openGroup();
      const reader = service({ user: 'bob', fullAccess: false });
      const foreigner = service({ project: 'other' });
      expect((await reader.describeNodegroup(REF)).nodegroupName).toBe('workers');
      await expect(reader.deleteNodegroup(REF)).rejects.toMatchObject({
        code: 'AccessDeniedException',
      });
      await expect(foreigner.describeCluster(REF)).rejects.toMatchObject({
        code: 'ResourceNotFoundException',
      });
      expect((await foreigner.listClusters({})).clusters).toEqual([]);
      expect((await ours.listClusters({})).clusters).toEqual(['prod']);
    });

    test('[eks-8] a cluster with the tag that requests a failure becomes FAILED and reports the issue', async () => {
      const subject = await open();
      const tags = { 'holdfast/fail-create': 'AccessDenied: no role' };
      await subject.service().createCluster({ name: 'prod', tags });
      subject.clock.advance(DURATIONS.createClusterMs);
      expect(await subject.service().describeCluster(REF)).toMatchObject({
        status: 'FAILED',
        health: { issues: [{ code: 'AccessDenied', message: 'no role', resourceIds: ['prod'] }] },
      });
    });
  });

  describe(`${name}: node groups`, () => {
    test('[ng-1] a node group that is created without options has the documented defaults', async () => {
      const { ours, clock } = await openCluster();
      const nodegroup = await ours.createNodegroup(GROUP);
      expect(nodegroup).toMatchObject({
        ...GROUP,
        status: 'CREATING',
        capacityType: 'ON_DEMAND',
        diskSize: 20,
        labels: {},
        taints: [],
        tags: {},
        subnets: [],
        scalingConfig: { minSize: 1, desiredSize: 2, maxSize: 2 },
        updateConfig: { maxUnavailable: 1 },
        createdAt: clock.now(),
        modifiedAt: clock.now(),
        health: { issues: [] },
      });
      expect(nodegroup.nodegroupArn).toMatch(
        /^arn:aws:eks:us-east-1:.*:nodegroup\/prod\/workers\//,
      );
      expect(nodegroup.resources.autoScalingGroups[0]?.name).toMatch(/workers/);
    });

    test('[ng-2] a node group preserves every field of its CreateNodegroup request', async () => {
      const members: Partial<CreateNodegroupRequest> = {
        capacityType: 'ON_DEMAND',
        diskSize: 50,
        labels: { tier: 'web', 'example.com/zone': 'a' },
        remoteAccess: { vmSshKey: 'ops' },
        scalingConfig: { minSize: 0, desiredSize: 3, maxSize: 5 },
        subnets: ['subnet-1'],
        tags: { team: 'web' },
        taints: [TAINT, { effect: 'NO_EXECUTE', key: 'spare' }],
        updateConfig: { maxUnavailablePercentage: 25 },
        version: '1.33',
        releaseVersion: '1.33-1',
        amiType: 'AL2',
        nodeRole: 'arn:aws:iam::1:role/nodes',
      };
      const { nodegroup, described } = await openGroup(members);
      expect(nodegroup).toMatchObject(members);
      expect(await described()).toMatchObject({ ...members, status: 'ACTIVE' });
    });

    test('[ng-3] a node group preserves its launch template, but rejects one combined with a disk size or key pair', async () => {
      const launchTemplate = { id: 'lt-1', version: '3' };
      const { nodegroup } = await openGroup({ launchTemplate });
      expect(nodegroup).toMatchObject({ launchTemplate });
      expect(nodegroup).not.toHaveProperty('diskSize');
      const { ours } = await openCluster();
      for (const more of [{ diskSize: 20 }, { remoteAccess: { vmSshKey: 'ops' } }])
        await expect(
          ours.createNodegroup({ ...GROUP, launchTemplate, ...more }),
        ).rejects.toMatchObject(refusal('InvalidParameterException', 'launch template'));
    });

    test('[ng-4] the name of a node group must be unique in its cluster', async () => {
      const { ours } = await openGroup();
      await expect(ours.createNodegroup(GROUP)).rejects.toMatchObject(
        refusal('ResourceInUseException', 'NodeGroup already exists with name workers and cluster'),
      );
      await ours.createNodegroup({ ...GROUP, nodegroupName: 'Workers' });
    });

    test('[ng-5] a node group can be created only in an existing cluster that is ACTIVE', async () => {
      const subject = await open();
      const ours = subject.service();
      await expect(ours.createNodegroup(GROUP)).rejects.toMatchObject(
        refusal('ResourceNotFoundException', 'No cluster found for name: prod.'),
      );
      await ours.createCluster({ name: 'prod' });
      await expect(ours.createNodegroup(GROUP)).rejects.toMatchObject({
        code: 'InvalidRequestException',
      });
    });

    test('[ng-6] a node group is DELETING until its deletion completes, and cannot be deleted while it is created or updated', async () => {
      const { ours, clock } = await openCluster();
      await ours.createNodegroup(GROUP);
      await expect(ours.deleteNodegroup(REF)).rejects.toMatchObject({
        code: 'ResourceInUseException',
      });
      clock.advance(DURATIONS.createNodegroupMs);
      expect(await ours.deleteNodegroup(REF)).toMatchObject({ status: 'DELETING' });
      expect((await ours.describeNodegroup(REF)).status).toBe('DELETING');
      clock.advance(DURATIONS.deleteNodegroupMs);
      await expect(ours.describeNodegroup(REF)).rejects.toMatchObject(
        refusal('ResourceNotFoundException', 'No node group found for name: workers.'),
      );
    });

    test('[ng-7] a node group accepts label keys and values of 1 and of 63 characters', async () => {
      const { nodegroup } = await openGroup({ labels: { [LARGEST]: LARGEST, a: 'b' } });
      expect(nodegroup.labels).toEqual({ [LARGEST]: LARGEST, a: 'b' });
    });

    test('[ng-8] retries of CreateNodegroup with the same client token create one node group', async () => {
      const { ours } = await openCluster();
      const request = { ...GROUP, clientRequestToken: 'once' };
      const first = await ours.createNodegroup(request);
      expect(await ours.createNodegroup(request)).toEqual(first);
      await expect(ours.createNodegroup({ ...request, diskSize: 30 })).rejects.toMatchObject(
        refusal('InvalidParameterException', 'clientRequestToken'),
      );
    });

    test.each([
      ['create', 'CREATE_FAILED'],
      ['delete', 'DELETE_FAILED'],
    ])(
      '[ng-9] a node group that fails to %s reports the failure and can be deleted',
      async (work, status) => {
        const tags = { [`holdfast/fail-${work}`]: 'NodeCreationFailure: no machine' };
        const { ours, described, clock, nodegroup } = await openGroup({ tags });
        if (work === 'delete') await ours.deleteNodegroup(REF);
        clock.advance(DURATIONS.deleteNodegroupMs);
        expect(await described()).toMatchObject({
          status,
          health: { issues: [{ code: 'NodeCreationFailure', message: 'no machine' }] },
        });
        await ours.untagResource({
          resourceArn: nodegroup.nodegroupArn,
          tagKeys: Object.keys(tags),
        });
        await ours.deleteNodegroup(REF);
        clock.advance(DURATIONS.deleteNodegroupMs);
        await expect(described()).rejects.toMatchObject({ code: 'ResourceNotFoundException' });
      },
    );
  });

  describe(`${name}: updates`, () => {
    test('[upd-1] an update of node group sizes returns a record, and is in progress until its last batch of nodes completes', async () => {
      const { ours, described, clock } = await openGroup();
      const update = await ours.updateNodegroupConfig({
        ...REF,
        scalingConfig: { desiredSize: 5 },
      });
      expect(update).toMatchObject({
        status: 'InProgress',
        type: 'ConfigUpdate',
        params: [{ type: 'DesiredSize', value: '5' }],
        errors: [],
        createdAt: clock.now(),
      });
      const ref = { ...REF, updateId: update.id };
      clock.advance(3 * DURATIONS.batchMs - 1);
      expect((await described()).status).toBe('UPDATING');
      expect((await described()).scalingConfig.desiredSize).toBe(2);
      expect((await ours.describeUpdate(ref)).status).toBe('InProgress');
      clock.advance(1);
      expect(await described()).toMatchObject({
        status: 'ACTIVE',
        scalingConfig: { minSize: 1, desiredSize: 5, maxSize: 8 },
        modifiedAt: clock.now(),
      });
      expect((await ours.describeUpdate(ref)).status).toBe('Successful');
    });

    test('[upd-2] an update of the labels of a node group adds, changes and removes labels', async () => {
      const { ours, finish } = await openGroup({ labels: { a: '1', b: '2', c: '3' } });
      await ours.updateNodegroupConfig({
        ...REF,
        labels: { addOrUpdateLabels: { a: 'x', d: '4' }, removeLabels: ['b', 'unknown'] },
      });
      expect((await finish()).labels).toEqual({ a: 'x', c: '3', d: '4' });
    });

    test('[upd-3] an update of taints matches them by key and effect, and ignores the value of a taint that it removes', async () => {
      const spare: Taint = { effect: 'NO_EXECUTE', key: 'dedicated', value: 'web' };
      const { ours, finish } = await openGroup({ taints: [TAINT, spare] });
      await ours.updateNodegroupConfig({
        ...REF,
        taints: {
          addOrUpdateTaints: [{ ...spare, value: 'db' }],
          removeTaints: [{ effect: TAINT.effect, key: TAINT.key }],
        },
      });
      expect((await finish()).taints).toEqual([{ ...spare, value: 'db' }]);
    });

    test('[upd-4] an update that sets maxUnavailablePercentage removes maxUnavailable', async () => {
      const { ours, finish } = await openGroup();
      const updateConfig = { maxUnavailablePercentage: 50 };
      await ours.updateNodegroupConfig({ ...REF, updateConfig });
      expect((await finish()).updateConfig).toEqual(updateConfig);
    });

    test('[upd-5] a version update replaces nodes in batches, and without a version uses the version of the cluster', async () => {
      const { ours, finish, clock } = await openGroup({ version: '1.30' });
      const update = await ours.updateNodegroupVersion({ ...REF, releaseVersion: '1.34-2' });
      expect(update).toMatchObject({
        type: 'VersionUpdate',
        params: [
          { type: 'Version', value: '1.34' },
          { type: 'ReleaseVersion', value: '1.34-2' },
        ],
      });
      clock.advance(DURATIONS.batchMs);
      expect((await ours.describeNodegroup(REF)).status).toBe('UPDATING');
      expect(await finish(DURATIONS.batchMs)).toMatchObject({
        status: 'ACTIVE',
        version: '1.34',
        releaseVersion: '1.34-2',
      });
    });

    test('[upd-6] a node group rejects a second update while the first is in progress', async () => {
      const { ours } = await openGroup();
      await ours.updateNodegroupConfig({ ...REF, scalingConfig: { desiredSize: 3 } });
      await expect(
        ours.updateNodegroupConfig({ ...REF, scalingConfig: { desiredSize: 4 } }),
      ).rejects.toMatchObject({ code: 'ResourceInUseException' });
      await expect(ours.updateNodegroupVersion(REF)).rejects.toMatchObject({
        code: 'ResourceInUseException',
      });
    });

    test('[upd-7] a failed update changes no setting, and its node group is DEGRADED until an update succeeds', async () => {
      const tags = { 'holdfast/fail-update': 'PodEvictionFailure: they stay' };
      const { ours, finish, nodegroup } = await openGroup({ tags });
      const { id: updateId } = await ours.updateNodegroupConfig({
        ...REF,
        scalingConfig: { desiredSize: 5 },
      });
      expect(await finish()).toMatchObject({
        status: 'DEGRADED',
        scalingConfig: { desiredSize: 2 },
        health: { issues: [{ code: 'PodEvictionFailure' }] },
      });
      expect(await ours.describeUpdate({ ...REF, updateId })).toMatchObject({
        status: 'Failed',
        errors: [
          {
            errorCode: 'PodEvictionFailure',
            errorMessage: 'they stay',
            resourceIds: ['workers'],
          },
        ],
      });
      await ours.untagResource({
        resourceArn: nodegroup.nodegroupArn,
        tagKeys: Object.keys(tags),
      });
      await ours.updateNodegroupConfig({ ...REF, scalingConfig: { desiredSize: 5 } });
      expect(await finish()).toMatchObject({ status: 'ACTIVE', health: { issues: [] } });
    });

    test('[upd-11] a cancelled update changes nothing, and its node group accepts the next update', async () => {
      const { ours, finish } = await openGroup();
      const changes = { ...REF, scalingConfig: { desiredSize: 5 } };
      const { id: updateId } = await ours.updateNodegroupConfig(changes);
      expect(await ours.cancelUpdate({ ...REF, updateId })).toMatchObject({
        id: updateId,
        status: 'Cancelled',
      });
      expect(await finish()).toMatchObject({ status: 'ACTIVE', scalingConfig: { desiredSize: 2 } });
      await expect(ours.cancelUpdate({ ...REF, updateId })).rejects.toMatchObject({
        code: 'InvalidRequestException',
      });
      await ours.updateNodegroupConfig(changes);
      expect(await finish()).toMatchObject({ scalingConfig: { desiredSize: 5 } });
    });

    test('[upd-8] DescribeUpdate finds an update by its id with or without its node group, and ListUpdates is sorted newest first', async () => {
      const { ours, finish } = await openGroup();
      const ids: string[] = [];
      for (const desiredSize of [3, 4, 5]) {
        const scalingConfig = { desiredSize };
        ids.unshift((await ours.updateNodegroupConfig({ ...REF, scalingConfig })).id);
        await finish();
      }
      const first = await ours.listUpdates({ ...REF, maxResults: 2 });
      expect(first.updateIds).toEqual(ids.slice(0, 2));
      const { nextToken = '' } = first;
      const rest = await ours.listUpdates({ ...REF, maxResults: 2, nextToken });
      expect(rest).toEqual({ updateIds: ids.slice(2) });
      const { clusterName } = REF;
      expect((await ours.listUpdates({ clusterName })).updateIds).toEqual([]);
      const [updateId = ''] = ids;
      expect((await ours.describeUpdate({ clusterName, updateId })).id).toBe(updateId);
      await expect(ours.describeUpdate({ ...REF, updateId: 'none' })).rejects.toMatchObject({
        code: 'ResourceNotFoundException',
      });
    });
  });

  describe(`${name}: lists and tags`, () => {
    test('[eks-9] the list calls of the cluster service return each name exactly once, in byte order and in pages', async () => {
      const subject = await open();
      for (const cluster of ['b', 'a', 'B', 'c']) {
        await subject.service().createCluster({ name: cluster });
      }
      const first = await subject.service().listClusters({ maxResults: 3 });
      expect(first.clusters).toEqual(['B', 'a', 'b']);
      const { nextToken = '' } = first;
      expect(await subject.service().listClusters({ nextToken })).toEqual({ clusters: ['c'] });
      await expect(subject.service().listClusters({ nextToken: 'x' })).rejects.toMatchObject(
        refusal('InvalidParameterException', 'nextToken'),
      );
    });

    test('[eks-9] a list call rejects a page token that another list returned', async () => {
      const { ours } = await openGroup();
      for (const cluster of ['a', 'b']) await ours.createCluster({ name: cluster });
      const { nextToken = '' } = await ours.listClusters({ maxResults: 1 });
      const refused = refusal('InvalidParameterException', 'nextToken');
      await expect(ours.listUpdates({ ...REF, nextToken })).rejects.toMatchObject(refused);
      const { clusterName } = REF;
      await expect(ours.listNodegroups({ clusterName, nextToken })).rejects.toMatchObject(refused);
    });

    test('[eks-10] tags and labels can have keys that equal names of API fields', async () => {
      const all = { params: 'p', platformVersion: 'v', nodegroupName: 'n', ec2SshKey: 'k' };
      const labels = { ...all, removeLabels: 'r', addOrUpdateLabels: 'a' };
      const { ours, nodegroup } = await openGroup({ tags: all, labels });
      expect(nodegroup).toMatchObject({ tags: all, labels });
      expect(await ours.listTags({ resourceArn: nodegroup.nodegroupArn })).toEqual(all);
    });

    test('[eks-10] TagResource and UntagResource add, change and remove tags of clusters and node groups by ARN', async () => {
      const { ours, cluster, nodegroup } = await openGroup({ tags: { a: '1' } });
      for (const resourceArn of [cluster.arn, nodegroup.nodegroupArn]) {
        await ours.tagResource({ resourceArn, tags: { 'x y': 'ü', b: '' } });
        await ours.untagResource({ resourceArn, tagKeys: ['a', 'none'] });
        expect(await ours.listTags({ resourceArn })).toEqual({ 'x y': 'ü', b: '' });
      }
      await expect(ours.listTags({ resourceArn: `${cluster.arn}x` })).rejects.toMatchObject({
        code: 'NotFoundException',
      });
    });
  });
}

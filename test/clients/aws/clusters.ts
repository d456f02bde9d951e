/** Checks of clusters, node groups, updates, tags and waiters with `aws eks`. */

import assert from 'node:assert/strict';

import type { Aws } from './aws.ts';

interface Described {
  readonly nodegroup: {
    readonly status: string;
    readonly scalingConfig: object;
    readonly labels: object;
    readonly taints: readonly object[];
  };
}

export async function checkClusters(aws: Aws): Promise<void> {
  const { lane } = aws;
  const name = lane.bucketName('clusters');
  const group = { clusterName: name, nodegroupName: 'workers' };
  const describe = () => aws.eks<Described>('describe-nodegroup', group);

  await lane.check('eks create-cluster creates a cluster that list-clusters lists', async () => {
    await aws.eks('create-cluster', {
      name,
      roleArn: 'arn:aws:iam::123456789012:role/prod',
      resourcesVpcConfig: { subnetIds: ['subnet-1'] },
    });
    await aws.eksWait('cluster-active', { name });
    const { clusters } = await aws.eks<{ clusters: string[] }>('list-clusters');
    assert.ok(clusters.includes(name));
  });

  await lane.check(
    'eks create-nodegroup creates an active node group with labels and taints',
    async () => {
      await aws.eks('create-nodegroup', {
        ...group,
        subnets: ['subnet-1'],
        nodeRole: 'arn:aws:iam::123456789012:role/nodes',
        instanceTypes: ['m1.small'],
        scalingConfig: { minSize: 1, desiredSize: 2, maxSize: 4 },
        labels: { tier: 'web' },
        taints: JSON.stringify([{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' }]),
        remoteAccess: { ec2SshKey: 'ops' },
        diskSize: 30,
      });
      await aws.eksWait('nodegroup-active', group);
      const { nodegroup } = await describe();
      assert.deepEqual(nodegroup.labels, { tier: 'web' });
      assert.equal(nodegroup.taints.length, 1);
    },
  );

  await lane.check(
    'eks update-nodegroup-config changes the node group, and list-updates lists each update',
    async () => {
      const { update } = await aws.eks<{ update: { id: string } }>('update-nodegroup-config', {
        ...group,
        scalingConfig: { desiredSize: 3 },
        labels: { addOrUpdateLabels: { tier: 'db' } },
      });
      await aws.eksWait('nodegroup-active', group);
      assert.deepEqual((await describe()).nodegroup.scalingConfig, {
        minSize: 1,
        desiredSize: 3,
        maxSize: 4,
      });
      const updateOf = { name, nodegroupName: 'workers' };
      const ended = await aws.eks<{ update: { status: string } }>('describe-update', {
        ...updateOf,
        updateId: update.id,
      });
      assert.equal(ended.update.status, 'Successful');
      await aws.eks('update-nodegroup-version', group);
      await aws.eksWait('nodegroup-active', group);
      const { updateIds } = await aws.eks<{ updateIds: string[] }>('list-updates', updateOf);
      assert.equal(updateIds.length, 2);
    },
  );

  await lane.check('eks tag-resource and untag-resource change the tags of a cluster', async () => {
    const { cluster } = await aws.eks<{ cluster: { arn: string } }>('describe-cluster', { name });
    const { arn: resourceArn } = cluster;
    await aws.eks('tag-resource', { resourceArn, tags: { team: 'web', cost: 'x y' } });
    await aws.eks('untag-resource', { resourceArn, tagKeys: ['team'] });
    const { tags } = await aws.eks<{ tags: object }>('list-tags-for-resource', { resourceArn });
    assert.deepEqual(tags, { cost: 'x y' });
  });

  await lane.check(
    'eks returns the expected error names, and delete-cluster removes an empty cluster',
    async () => {
      await aws.eksRefused('ResourceInUseException', 'delete-cluster', { name });
      await aws.eksRefused('ResourceNotFoundException', 'describe-nodegroup', {
        ...group,
        nodegroupName: 'none',
      });
      await aws.eksRefused('InvalidParameterException', 'update-nodegroup-config', {
        ...group,
        scalingConfig: { desiredSize: 9 },
      });
      await aws.eks('delete-nodegroup', group);
      await aws.eksWait('nodegroup-deleted', group);
      await aws.eks('delete-cluster', { name });
      await aws.eksWait('cluster-deleted', { name });
    },
  );
}

/**
 * Tests of the cluster and node group API with the unmodified AWS SDK for EKS and its waiters,
 * which poll a status.
 */

import {
  CreateClusterCommand,
  CreateNodegroupCommand,
  DeleteClusterCommand,
  DeleteNodegroupCommand,
  DescribeClusterCommand,
  DescribeNodegroupCommand,
  DescribeUpdateCommand,
  EKSClient,
  ListClustersCommand,
  ListNodegroupsCommand,
  ListTagsForResourceCommand,
  ListUpdatesCommand,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateNodegroupConfigCommand,
  UpdateNodegroupVersionCommand,
  waitUntilClusterActive,
  waitUntilClusterDeleted,
  waitUntilNodegroupActive,
  waitUntilNodegroupDeleted,
} from '@aws-sdk/client-eks';
import { describe, expect, test } from 'vitest';

import { openClusterBench } from '../helpers/cluster-bench.ts';

const NONE = {
  createClusterMs: 0,
  deleteClusterMs: 0,
  createNodegroupMs: 0,
  deleteNodegroupMs: 0,
  batchMs: 0,
};
const REF = { clusterName: 'prod', nodegroupName: 'workers' };
const WAIT = { maxWaitTime: 20, minDelay: 1, maxDelay: 1 };

async function sdkOnACluster() {
  const bench = await openClusterBench({ durations: NONE });
  const client = new EKSClient({
    endpoint: bench.url,
    region: 'us-east-1',
    credentials: bench.credentials,
    maxAttempts: 1,
  });
  await client.send(
    new CreateClusterCommand({
      name: 'prod',
      roleArn: 'arn:aws:iam::1:role/prod',
      resourcesVpcConfig: { subnetIds: ['subnet-1'], securityGroupIds: ['sg-1'] },
      tags: { team: 'a' },
    }),
  );
  await waitUntilClusterActive({ client, ...WAIT }, { name: 'prod' });
  return { bench, client };
}

const GROUP = {
  ...REF,
  subnets: ['subnet-1'],
  nodeRole: 'arn:aws:iam::1:role/nodes',
  instanceTypes: ['m1.small'],
  scalingConfig: { minSize: 1, desiredSize: 2, maxSize: 4 },
  labels: { tier: 'web' },
  taints: [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' as const }],
  remoteAccess: { ec2SshKey: 'ops' },
};

describe('the AWS SDK with clusters', () => {
  test('the AWS SDK creates, updates, awaits and deletes clusters and node groups', async () => {
    const { client } = await sdkOnACluster();
    const { nodegroup } = await client.send(new CreateNodegroupCommand(GROUP));
    expect(nodegroup).toMatchObject({
      ...GROUP,
      status: 'CREATING',
      createdAt: expect.any(Date) as Date,
    });
    await waitUntilNodegroupActive({ client, ...WAIT }, REF);
    const { update } = await client.send(
      new UpdateNodegroupConfigCommand({
        ...REF,
        scalingConfig: { desiredSize: 4 },
        labels: { addOrUpdateLabels: { tier: 'db' } },
        taints: { removeTaints: [{ key: 'dedicated', effect: 'NO_SCHEDULE' }] },
      }),
    );
    expect(update).toMatchObject({ status: 'InProgress', type: 'ConfigUpdate' });
    await waitUntilNodegroupActive({ client, ...WAIT }, REF);
    const described = await client.send(new DescribeNodegroupCommand(REF));
    expect(described.nodegroup).toMatchObject({
      status: 'ACTIVE',
      scalingConfig: { minSize: 1, desiredSize: 4, maxSize: 4 },
      labels: { tier: 'db' },
      taints: [],
      resources: { autoScalingGroups: [{ name: expect.stringContaining('workers') as string }] },
    });
    const asked = { name: 'prod', nodegroupName: 'workers' };
    const ended = await client.send(
      new DescribeUpdateCommand({ ...asked, updateId: update?.id ?? '' }),
    );
    expect(ended.update).toMatchObject({ status: 'Successful', errors: [] });
    await client.send(new UpdateNodegroupVersionCommand({ ...REF, version: '1.35' }));
    await waitUntilNodegroupActive({ client, ...WAIT }, REF);
    const { updateIds } = await client.send(new ListUpdatesCommand(asked));
    expect(updateIds).toHaveLength(2);
    await expect(client.send(new DeleteClusterCommand({ name: 'prod' }))).rejects.toMatchObject({
      name: 'ResourceInUseException',
      message: 'Cluster has nodegroups attached',
    });
    await client.send(new DeleteNodegroupCommand(REF));
    await waitUntilNodegroupDeleted({ client, ...WAIT }, REF);
    await client.send(new DeleteClusterCommand({ name: 'prod' }));
    await waitUntilClusterDeleted({ client, ...WAIT }, { name: 'prod' });
    expect((await client.send(new ListClustersCommand({}))).clusters).toEqual([]);
  });

  test('the AWS SDK tags a cluster whose ARN contains slashes', async () => {
    const { client } = await sdkOnACluster();
    const { cluster } = await client.send(new DescribeClusterCommand({ name: 'prod' }));
    const resourceArn = cluster?.arn ?? '';
    await client.send(new TagResourceCommand({ resourceArn, tags: { cost: 'x y', 'a/b': 'ü' } }));
    await client.send(new UntagResourceCommand({ resourceArn, tagKeys: ['team', 'cost'] }));
    const { tags } = await client.send(new ListTagsForResourceCommand({ resourceArn }));
    expect(tags).toEqual({ 'a/b': 'ü' });
  });

  test('the AWS SDK pages through node group names and parses the errors of invalid requests', async () => {
    const { client } = await sdkOnACluster();
    for (const nodegroupName of ['c', 'a', 'b'])
      await client.send(new CreateNodegroupCommand({ ...GROUP, nodegroupName }));
    const first = await client.send(
      new ListNodegroupsCommand({ clusterName: 'prod', maxResults: 2 }),
    );
    expect(first.nodegroups).toEqual(['a', 'b']);
    const { nextToken } = first;
    const rest = await client.send(
      new ListNodegroupsCommand({ clusterName: 'prod', maxResults: 2, nextToken }),
    );
    expect(rest).toMatchObject({ nodegroups: ['c'] });
    expect(rest.nextToken).toBeUndefined();
    await expect(
      client.send(new DescribeNodegroupCommand({ ...REF, nodegroupName: 'none' })),
    ).rejects.toMatchObject({ name: 'ResourceNotFoundException', nodegroupName: 'none' });
    await expect(
      client.send(
        new CreateNodegroupCommand({ ...GROUP, scalingConfig: { minSize: 3, desiredSize: 2 } }),
      ),
    ).rejects.toMatchObject({ name: 'InvalidParameterException' });
  });

  test('the AWS SDK gets InvalidSignatureException for a wrong secret', async () => {
    const { bench } = await sdkOnACluster();
    const credentials = { ...bench.credentials, secretAccessKey: 'wrong' };
    const client = new EKSClient({
      endpoint: bench.url,
      region: 'us-east-1',
      credentials,
      maxAttempts: 1,
    });
    await expect(client.send(new ListClustersCommand({}))).rejects.toMatchObject({
      name: 'InvalidSignatureException',
      $metadata: { httpStatusCode: 403 },
    });
  });
});

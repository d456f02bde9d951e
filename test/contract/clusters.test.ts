/**
 * Runs the contract tests of `ClusterService` on the local service, and on the client through the gateway with
 * x-amz- and with x-svc- headers.
 */

import { onTestFinished } from 'vitest';

import type { UserPrincipal } from '../../src/base/principal.ts';
import { principalId } from '../../src/base/principal.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openClusterClient } from '../../src/cluster/client/cluster-client.ts';
import { openClusterGateway } from '../../src/cluster/gateway/cluster-gateway.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import { CLUSTER_USER, openTestClusters } from '../helpers/test-clusters.ts';
import { type ClusterSubject, testClusterService } from './clusters.ts';

const DIALECTS = {
  svc: { ...svcDialect(), service: 'eks' },
  amz: { ...amzDialect, service: 'eks' },
};

testClusterService('engine', async () => {
  const clusters = openTestClusters();
  onTestFinished(() => clusters[Symbol.asyncDispose]());
  return clusters;
});

for (const dialect of Object.values(DIALECTS))
  testClusterService(`client, ${dialect.name}`, async (): Promise<ClusterSubject> => {
    const clusters = openTestClusters();
    onTestFinished(() => clusters[Symbol.asyncDispose]());
    const users = new Map<string, UserPrincipal>();
    const secretAccessKey = 'the secret of everybody';
    const gateway = await openClusterGateway({
      service: (caller) => clusters.engine().as(caller),
      identity: {
        findKey: (accessKeyId) => {
          const principal = users.get(accessKeyId);
          return principal && { accessKeyId, secretAccessKey, principal };
        },
      },
      dialects: DIALECTS,
      region: 'us-east-1',
      host: '127.0.0.1',
      port: 0,
      clock: clusters.clock,
      logger: silentLogger,
    });
    onTestFinished(() => gateway.close());
    return {
      clock: clusters.clock,
      service(who = {}) {
        const principal = { ...CLUSTER_USER, ...who };
        const accessKeyId = principalId(principal);
        users.set(accessKeyId, principal);
        const { clock } = clusters;
        const credentials = { accessKeyId, secretAccessKey };
        const { url } = gateway;
        const client = openClusterClient({ url, region: 'us-east-1', dialect, credentials, clock });
        onTestFinished(() => client.close());
        return client;
      },
    };
  });

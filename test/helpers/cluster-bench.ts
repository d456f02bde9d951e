/** Starts a cluster service with its HTTP gateway and one user. Call it inside a test. */

import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import { type Clock, systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { type ClusterEngine, openClusterEngine } from '../../src/cluster/engine/cluster-engine.ts';
import { openClusterGateway } from '../../src/cluster/gateway/cluster-gateway.ts';
import type { Durations } from '../../src/cluster/rules/records.ts';
import type { UserPrincipal } from '../../src/base/principal.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { CLUSTER_USER, DURATIONS } from './test-clusters.ts';

export interface ClusterBench {
  readonly engine: ClusterEngine;
  readonly url: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

export async function openClusterBench({
  clock = systemClock,
  durations = DURATIONS,
  principal = CLUSTER_USER,
}: {
  readonly clock?: Clock;
  readonly durations?: Durations;
  readonly principal?: UserPrincipal;
} = {}): Promise<ClusterBench> {
  const path = join(temporaryFolder('holdfast-clusters'), 'clusters.sqlite');
  const engine = openClusterEngine({ path, region: 'us-east-1', durations, clock });
  onTestFinished(() => engine.close());
  const credentials = { accessKeyId: 'holdfast:ann@local', secretAccessKey: 'the secret of ann' };
  const gateway = await openClusterGateway({
    service: (caller) => engine.as(caller),
    identity: {
      findKey: (accessKeyId) =>
        accessKeyId === credentials.accessKeyId ? { ...credentials, principal } : undefined,
    },
    dialects: {
      svc: { ...svcDialect(), service: 'eks' },
      amz: { ...amzDialect, service: 'eks' },
    },
    region: 'us-east-1',
    host: '127.0.0.1',
    port: 0,
    clock,
    logger: silentLogger,
  });
  onTestFinished(() => gateway.close());
  return { engine, url: gateway.url, credentials };
}

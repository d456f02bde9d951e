/**
 * Starts an engine and a gateway for a test file, and creates an unmodified AWS SDK client for
 * them.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openEngine, type Engine } from '../../src/engine/engine.ts';
import { openGateway, type Gateway } from '../../src/gateway/gateway.ts';
import { accessKey, dialects, REGION } from './wire-bench.ts';

export interface SdkBench {
  /** AWS SDK client. It is available in tests and in `beforeAll` and `beforeEach` hooks. */
  readonly client: S3Client;
  readonly gateway: Gateway;
}

/** Registers the hooks that start and stop the gateway and the client. Call it outside of tests. */
export function sdkBench(): SdkBench {
  const dir = mkdtempSync(join(tmpdir(), 'aws-sdk-'));
  let opened: (SdkBench & { readonly engine: Engine }) | undefined;
  beforeAll(async () => {
    const { accessKeyId, secretAccessKey } = accessKey;
    const clock = systemClock;
    const engine = await openEngine({ dir, clock, logger: silentLogger, region: REGION });
    const gateway = await openGateway({
      store: (caller) => engine.as(caller),
      accessOf: (caller) => engine.accessOf(caller),
      identity: { findKey: (id) => (id === accessKeyId ? accessKey : undefined) },
      dialects,
      host: '127.0.0.1',
      port: 0,
      region: REGION,
      clock,
      logger: silentLogger,
    });
    const client = new S3Client({
      endpoint: gateway.url,
      region: REGION,
      credentials: { accessKeyId, secretAccessKey },
      forcePathStyle: true,
      maxAttempts: 1,
    });
    opened = { engine, gateway, client };
  });
  afterAll(async () => {
    opened?.client.destroy();
    await opened?.gateway.close();
    await opened?.engine.close();
    rmSync(dir, { recursive: true });
  });
  const open = () => {
    if (opened === undefined) throw new Error('the SDK bench can be used only inside a test');
    return opened;
  };
  return {
    get client() {
      return open().client;
    },
    get gateway() {
      return open().gateway;
    },
  };
}

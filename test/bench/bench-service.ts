/** Opens the engine and its gateway with the same configuration as the benchmark's server processes. */

import { mkdirSync } from 'node:fs';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import { BENCH_KEY, STRANGER_KEY } from './credentials.ts';

export const DIALECTS = { svc: svcDialect(), amz: amzDialect };
export const SHARED = { clock: systemClock, logger: silentLogger, region: 'us-east-1' };
export const IDENTITY = {
  findKey: (id: string) => [BENCH_KEY, STRANGER_KEY].find((key) => key.accessKeyId === id),
};

export async function openBenchService(dir: string) {
  mkdirSync(dir, { recursive: true });
  const engine = await openEngine({ dir, ...SHARED });
  const gateway = await openGateway({
    store: (caller) => engine.as(caller),
    accessOf: (caller) => engine.accessOf(caller),
    browserConfig: engine.browserConfig,
    identity: IDENTITY,
    dialects: DIALECTS,
    host: '127.0.0.1',
    port: 0,
    ...SHARED,
  });
  return {
    port: gateway.port,
    store: engine.as(internalCaller(BENCH_KEY.principal, systemClock.now())),
    async close() {
      await gateway.close();
      await engine.close();
    },
  };
}

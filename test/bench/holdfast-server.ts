/** Engine and gateway as a process of their own: prints its port, and each second its worst loop delay. */

import { mkdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import { BENCH_KEY } from './credentials.ts';

const dir = process.argv[2] ?? '';
mkdirSync(dir, { recursive: true });
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
const shared = { clock: systemClock, logger: silentLogger, region: 'us-east-1' };
const engine = await openEngine({ dir, ...shared });
const gateway = await openGateway({
  store: (caller) => engine.as(caller),
  identity: {
    findKey: (accessKeyId) => (accessKeyId === BENCH_KEY.accessKeyId ? BENCH_KEY : undefined),
  },
  dialects: { svc: svcDialect(), amz: amzDialect },
  host: '127.0.0.1',
  port: 0,
  ...shared,
});
process.stdout.write(`${gateway.port}\n`);
process.on('SIGTERM', () => {
  const report = {
    loopDelayP99Ms: delay.percentile(99) / 1e6,
    rssMib: process.memoryUsage().rss / 2 ** 20,
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  void gateway
    .close()
    .then(() => engine.close())
    .then(() => process.exit(0));
});

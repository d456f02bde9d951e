/** Engine and gateway as a process of their own. */

import { mkdirSync } from 'node:fs';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import { answerBench } from './answering.ts';
import { BENCH_KEY, STRANGER_KEY } from './credentials.ts';
import { load } from './load.ts';
import { BUCKET, keyOf } from './names.ts';

const LOADED_AT_A_TIME = 512;

const dir = process.argv[2] ?? '';
mkdirSync(dir, { recursive: true });
const shared = { clock: systemClock, logger: silentLogger, region: 'us-east-1' };
const engine = await openEngine({ dir, ...shared });
const gateway = await openGateway({
  store: (caller) => engine.as(caller),
  accessOf: (caller) => engine.accessOf(caller),
  identity: { findKey: (id) => [BENCH_KEY, STRANGER_KEY].find((key) => key.accessKeyId === id) },
  dialects: { svc: svcDialect(), amz: amzDialect },
  host: '127.0.0.1',
  port: 0,
  ...shared,
});
const store = engine.as(internalCaller(BENCH_KEY.principal, systemClock.now()));
answerBench(gateway.port, async (from, to) => {
  const body = bytesBody('x');
  const put = (index: number) =>
    store.putObject({ bucket: BUCKET, key: keyOf(from + index), body });
  await load(to - from, LOADED_AT_A_TIME, put);
});
process.on('SIGTERM', () => {
  void gateway
    .close()
    .then(() => engine.close())
    .then(() => process.exit(0));
});

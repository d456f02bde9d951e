/** Runs the engine and the gateway in a server process for the benchmark. */

import { bytesBody } from '../../src/object-store/body.ts';
import { answerBench } from './answering.ts';
import { openBenchService } from './bench-service.ts';
import { load } from './load.ts';
import { BUCKET, keyOf } from './names.ts';

const LOADED_AT_A_TIME = 512;

const service = await openBenchService(process.argv[2] ?? '');
answerBench([service.port], async (from, to) => {
  const body = bytesBody('x');
  const put = (index: number) =>
    service.store.putObject({ bucket: BUCKET, key: keyOf(from + index), body });
  await load(to - from, LOADED_AT_A_TIME, put);
});
process.on('SIGTERM', () => void service.close().then(() => process.exit(0)));

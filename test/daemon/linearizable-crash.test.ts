/**
 * Tests of conditional writes while the daemon is killed. The responses and the stored objects must
 * form a linearizable history.
 */

import { expect, it, onTestFinished } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { amzDialect } from '../../src/protocol/dialect.ts';
import { startDaemonHere } from '../helpers/daemon-here.ts';
import { startDaemonProcess, type DaemonProcess } from '../helpers/daemon-process.ts';
import { FreeSigner } from '../helpers/free-signer.ts';
import { HistoryRecorder, linearize } from '../helpers/linearizability.ts';
import { ObjectClient } from '../helpers/object-client.ts';
import { runCrowd } from '../helpers/object-clients.ts';
import { objectModel, type ObjectAnswer, type ObjectCall } from '../helpers/object-model.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const BUCKET = 'box';
const CLIENTS = 8;
/**
 * Number of calls of each client. It is so large that no client finishes before the daemon is
 * killed.
 */
const STEPS_EACH = 200;

/** Opens another client of the daemon. The client is closed at the end of the test. */
async function clientOf({ client }: Pick<DaemonProcess, 'client'>): Promise<ObjectClient> {
  const credentials = await client.call('credentials', {});
  const signer = new FreeSigner({
    dialect: amzDialect,
    host: '127.0.0.1',
    region: credentials.region,
    credentials,
    now: () => systemClock.now(),
  });
  const { port } = new URL(credentials.endpointUrl);
  const made = new ObjectClient({ port: Number(port), signer, bucket: BUCKET });
  onTestFinished(() => made.close());
  return made;
}

it.each([30, 75])(
  'a SIGKILL after %i responses leaves a linearizable history of conditional writes',
  async (answers) => {
    const home = temporaryFolder('hf-linear');
    const daemon = await startDaemonProcess(home);
    onTestFinished(() => daemon.kill());
    await daemon.client.call('buckets.create', {
      bucket: BUCKET,
      versioning: false,
      objectLock: false,
    });
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => clientOf(daemon)));
    const recorder = new HistoryRecorder<ObjectCall, ObjectAnswer>();
    const crowd = runCrowd({ clients, stepsEach: STEPS_EACH, seed: answers, recorder });
    await until(
      () => recorder.history.length,
      (count) => count >= answers,
    );
    await daemon.kill();
    await crowd;

    const next = await startDaemonHere(home);
    onTestFinished(() => next.stop());
    const witness = await clientOf(next);
    for (const key of ['a', 'b']) {
      const call = { kind: 'get', key } as const;
      await recorder.record(call, () => witness.perform(call));
    }
    const { history } = recorder;
    // Some requests had no response when the daemon was killed, so their outcome is unknown.
    expect(history.some(({ end }) => end === undefined)).toBe(true);
    expect(linearize(history, objectModel)).toBeDefined();
  },
);

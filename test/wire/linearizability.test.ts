/**
 * Tests that parallel conditional writes are linearizable: some sequential order of the requests explains all
 * responses.
 */

import { beforeEach, describe, expect, test } from 'vitest';

import { bytesBody } from '../../src/object-store/body.ts';
import type { ObjectStore, PutObjectRequest } from '../../src/object-store/object-store.ts';
import { FreeSigner } from '../helpers/free-signer.ts';
import { HistoryRecorder, linearize } from '../helpers/linearizability.ts';
import { ObjectClient } from '../helpers/object-client.ts';
import { runCrowd } from '../helpers/object-clients.ts';
import { objectModel, type ObjectAnswer, type ObjectCall } from '../helpers/object-model.ts';
import { accessKey, dialects, REGION, WireBench } from '../helpers/wire-bench.ts';

const bench = new WireBench();
/**
 * A service that ignores the conditions of PUT requests. The linearizability check must detect the
 * violation.
 */
const careless = new WireBench({
  wrap: (store) =>
    new Proxy(store, {
      get: (target, name: Exclude<keyof ObjectStore, 'bulkWriter'>) =>
        name === 'putObject'
          ? (request: PutObjectRequest) => target.putObject({ ...request, conditions: {} })
          : target[name].bind(target),
    }),
});
const CLIENTS = 8;

describe.each(Object.values(dialects))('requests with x-$name- headers', (dialect) => {
  let bucket: string;
  beforeEach(async () => {
    bucket = await bench.bucket();
  });

  const signer = new FreeSigner({
    dialect,
    host: '127.0.0.1',
    region: REGION,
    credentials: accessKey,
    now: () => bench.clock.now(),
  });

  async function withClients(
    count: number,
    use: (clients: readonly ObjectClient[]) => Promise<void>,
  ): Promise<void> {
    const { port } = bench.gateway;
    const clients = Array.from({ length: count }, () => new ObjectClient({ port, signer, bucket }));
    try {
      await use(clients);
    } finally {
      for (const client of clients) client.close();
    }
  }

  test.each([
    [1, 'unversioned'],
    [2, 'unversioned'],
    [3, 'Enabled'],
    [4, 'Enabled'],
    [5, 'Suspended'],
  ] as const)(
    'history %i of 8 parallel clients is linearizable (bucket versioning: %s)',
    async (seed, versioning) => {
      if (versioning !== 'unversioned') await bench.store.putVersioning({ bucket, versioning });
      const recorder = new HistoryRecorder<ObjectCall, ObjectAnswer>();
      await withClients(CLIENTS, (clients) => runCrowd({ clients, stepsEach: 10, seed, recorder }));
      const { history } = recorder;
      expect(history.filter(({ end }) => end === undefined)).toEqual([]);
      expect(history).toHaveLength(CLIENTS * 10);
      // A history in which all conditions hold, or all fail, would prove little.
      const statuses = new Set(history.map(({ end }) => end?.answer.status));
      expect(statuses).toEqual(new Set([200, 204, 404, 412]));
      expect(linearize(history, objectModel)).toHaveLength(history.length);
      if (versioning !== 'Enabled') return;
      const writes = history.filter(
        ({ call, end }) =>
          call.kind !== 'get' && call.kind !== 'head' && (end?.answer.status ?? 400) < 300,
      );
      const { versions } = await bench.store.listVersions({ bucket });
      expect(versions).toHaveLength(writes.length);
    },
  );

  test('exactly one of 32 clients can create the same key with If-None-Match: *, by PUT, copy or completion', async () => {
    await bench.store.putObject({ bucket, key: 'source', body: bytesBody('copied') });
    await withClients(32, async (clients) => {
      const conditions = { ifNoneMatch: '*' } as const;
      const key = 'k';
      const calls = clients.map((_, index): ObjectCall => {
        if (index % 4 === 1) return { kind: 'copy', key, source: 'source', conditions };
        return { kind: index % 4 === 2 ? 'complete' : 'put', key, text: `${index}`, conditions };
      });
      const uploads = await Promise.all(
        clients.map((client, index) =>
          calls[index]?.kind === 'complete'
            ? client.prepareUpload(key, `${index}`)
            : Promise.resolve(''),
        ),
      );
      const answers = await Promise.all(
        clients.map((client, index) => client.perform(calls[index] as ObjectCall, uploads[index])),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 412)).toHaveLength(31);
      const winner = answers.find(({ status }) => status === 200);
      const { info } = await bench.store.headObject({ bucket, key });
      expect(info.etag).toBe(winner?.etag);
    });
  });

  test('a counter that parallel clients increment with If-Match equals the number of successful writes', async () => {
    await bench.store.putObject({ bucket, key: 'n', body: bytesBody('0') });
    let successes = 0;
    let refusals = 0;
    await withClients(CLIENTS, async (clients) => {
      const count = async (client: ObjectClient) => {
        for (let attempt = 0; attempt < 15; attempt += 1) {
          const { etag = '', text } = await client.perform({ kind: 'get', key: 'n' });
          const conditions = { ifMatch: etag };
          const next = { kind: 'put', key: 'n', text: `${Number(text) + 1}`, conditions } as const;
          const { status } = await client.perform(next);
          if (status === 200) successes += 1;
          else if (status === 412) refusals += 1;
        }
      };
      await Promise.all(clients.map(count));
      const last = await clients[0]?.perform({ kind: 'get', key: 'n' });
      expect(last?.text).toBe(`${successes}`);
    });
    expect(successes + refusals).toBe(CLIENTS * 15);
    // If no condition fails, the clients did not run in parallel.
    expect(refusals).toBeGreaterThan(0);
  });
});

test('the linearizability check detects a service that ignores the conditions of a PUT', async () => {
  const bucket = await careless.bucket();
  const { port } = careless.gateway;
  const signer = new FreeSigner({
    dialect: dialects.svc,
    host: '127.0.0.1',
    region: REGION,
    credentials: accessKey,
    now: () => careless.clock.now(),
  });
  const clients = Array.from({ length: 4 }, () => new ObjectClient({ port, signer, bucket }));
  const recorder = new HistoryRecorder<ObjectCall, ObjectAnswer>();
  await runCrowd({ clients, stepsEach: 8, seed: 1, recorder });
  for (const client of clients) client.close();
  expect(linearize(recorder.history, objectModel)).toBeUndefined();
});

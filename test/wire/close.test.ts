/**
 * Tests that the gateway, when it closes, ends idle connections at once and requests in progress after a grace
 * period.
 */

import { expect, test } from 'vitest';
import { silentLogger } from '../../src/base/logger.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import { CLOSE_GRACE_MS } from '../../src/http/listener-limits.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { HttpSocket } from '../helpers/http-socket.ts';
import { accessKey, dialects, REGION, signedHead } from '../helpers/wire-bench.ts';

type ListBuckets = ObjectStore['listBuckets'];

async function openWith(listBuckets: ListBuckets) {
  const clock = new FakeClock();
  const gateway = await openGateway({
    store: () => ({ listBuckets }) as ObjectStore,
    identity: { findKey: () => accessKey },
    dialects,
    host: '127.0.0.1',
    port: 0,
    region: REGION,
    clock,
    logger: silentLogger,
  });
  const socket = new HttpSocket(gateway.port);
  const ask = () =>
    socket.write(
      signedHead({ method: 'GET', url: '/' }, { dialect: dialects.amz, gateway, now: clock.now() }),
    );
  return { clock, gateway, socket, ask };
}

test('the gateway ends an idle connection at once when it closes', async () => {
  const { gateway, socket, ask } = await openWith(() => Promise.resolve([]));
  ask();
  expect((await socket.answer()).status).toBe(200);
  await gateway.close();
  expect(await socket.rest()).toBe('');
});

test('the gateway lets a request in progress complete when it closes', async () => {
  const [asked, returned] = [Promise.withResolvers<void>(), Promise.withResolvers<[]>()];
  const { gateway, socket, ask } = await openWith(() => {
    asked.resolve();
    return returned.promise;
  });
  ask();
  await asked.promise;
  const closing = gateway.close();
  returned.resolve([]);
  expect((await socket.answer()).status).toBe(200);
  await closing;
});

test('the gateway aborts a request that takes longer than the grace period when it closes', async () => {
  const asked = Promise.withResolvers<AbortSignal | undefined>();
  const { clock, gateway, socket, ask } = await openWith((options) => {
    asked.resolve(options?.signal);
    return new Promise((_, reject) => {
      options?.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error));
    });
  });
  ask();
  const signal = await asked.promise;
  const closing = gateway.close();
  clock.advance(CLOSE_GRACE_MS);
  await closing;
  expect(await socket.rest()).toBe('');
  expect(signal?.aborted).toBe(true);
});

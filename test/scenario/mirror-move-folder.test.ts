/**
 * Tests that a job copies a moved folder within the bucket. It uploads no content and writes one log line. For the
 * full acceptance test, set `HOLDFAST_MOVED_FILES=10000 HOLDFAST_MOVED_BYTES=100000`.
 */

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import type { CallOptions, ObjectStore } from '../../src/object-store/object-store.ts';
import { openMirrorBench } from '../helpers/mirror-bench.ts';
import { accessKey, dialects, REGION } from '../helpers/wire-bench.ts';
import { bytesText, countText } from '../../src/text/amounts.ts';

const FILES = Number(process.env['HOLDFAST_MOVED_FILES'] ?? 200);
const FILE_BYTES = Number(process.env['HOLDFAST_MOVED_BYTES'] ?? 10_000);
const FILES_A_FOLDER = 100;
const MINUTES = 10;

/** Wraps a store and counts the bytes of all bodies that are sent to the store. */
function counted(inner: ObjectStore): { readonly store: ObjectStore; readonly sent: () => number } {
  let bytes = 0;
  const store = new Proxy(inner, {
    get(target, name) {
      const method = Reflect.get(target, name) as ((...args: unknown[]) => unknown) | undefined;
      if (method === undefined) return undefined;
      return (
        request: { readonly body?: { readonly sizeBytes: number } },
        options?: CallOptions,
      ) => {
        bytes += request.body?.sizeBytes ?? 0;
        return method.call(target, request, options);
      };
    },
  });
  return { store, sent: () => bytes };
}

test(
  `a job copies a moved folder of ${FILES} files within the bucket, without uploads and with one log line`,
  async () => {
    const bench = await openMirrorBench();
    for (let index = 0; index < FILES; index++) {
      const folder = join(bench.root, 'old', `${Math.floor(index / FILES_A_FOLDER)}`);
      if (index % FILES_A_FOLDER === 0) mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${index}`), `${index} `.padEnd(FILE_BYTES, `${index % 10}`));
    }
    const gateway = await openGateway({
      store: () => bench.store,
      identity: { findKey: (id) => (id === accessKey.accessKeyId ? accessKey : undefined) },
      dialects,
      host: '127.0.0.1',
      port: 0,
      region: REGION,
      clock: systemClock,
      logger: silentLogger,
    });
    const client = openSignedClient({
      endpoint: gateway.url,
      region: REGION,
      dialect: dialects.amz,
      credentials: accessKey,
      clock: systemClock,
      logger: silentLogger,
    });
    onTestFinished(async () => {
      await client.close();
      await gateway.close();
    });
    const { store, sent } = counted(client);
    const mirror = await bench.open({ store });
    await mirror.settled();
    expect(sent()).toBeGreaterThanOrEqual(FILES * FILE_BYTES);
    const [before, logged] = [sent(), bench.activities.length];
    renameSync(join(bench.root, 'old'), join(bench.root, 'new'));
    await mirror.settled();
    expect(sent() - before).toBe(0);
    expect(bench.activities.slice(logged)).toEqual([
      {
        level: 'info',
        action: 'copy',
        message: `${countText(FILES, 'file')}: ${bytesText(FILES * FILE_BYTES)} copied within the bucket, not uploaded again`,
      },
    ]);
    const { objects } = await bench.store.listObjects({ bucket: bench.bucket, prefix: 'old/' });
    expect(objects).toEqual([]);
    expect(mirror.status()).toMatchObject({ counts: { files: FILES, held: 0 }, problems: [] });
  },
  MINUTES * 60_000,
);

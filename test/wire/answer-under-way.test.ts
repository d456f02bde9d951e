/** Tests that bytes which a client sends during a response never become part of the response. */

import { expect, test } from 'vitest';
import { bytesBody } from '../../src/object-store/body.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { amzDialect } from '../../src/protocol/dialect.ts';
import { WireBench } from '../helpers/wire-bench.ts';

const clientIsGone = Promise.withResolvers<void>();

/**
 * Returns eight bytes of the object at once, and the last four after the client has disconnected.
 */
async function* halting(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('aaaa');
  yield Buffer.from('bbbb');
  await clientIsGone.promise;
  yield Buffer.from('cccc');
}

function haltingReads(store: ObjectStore): ObjectStore {
  return Object.assign(Object.create(store) as ObjectStore, {
    getObject: async () => ({
      info: { sizeBytes: 12, etag: 'e', lastModifiedAt: 0 },
      body: halting(),
    }),
  });
}

const bench = new WireBench({ wrap: haltingReads });

test('malformed HTTP from a client during a response closes the connection and adds no bytes to the response', async () => {
  const bucket = await bench.bucket();
  await bench.store.putObject({ bucket, key: 'k', body: bytesBody('') });
  const socket = bench.connect();
  socket.write(bench.head(amzDialect, { method: 'GET', url: `/${bucket}/k` }));
  await socket.answerHead();
  socket.write('no HTTP at all\r\n\r\n');
  const received = await socket.rest();
  clientIsGone.resolve();
  expect(received).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\naaaabbbb$/);
});

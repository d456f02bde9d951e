/**
 * Tests that an abort at any time ends a client call with the reason of the abort and leaves no
 * file, connection or timer open.
 */

import { closeSync, openSync, readSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { BODY_MEMORY } from '../../../src/object-store/body-memory.ts';
import type { SignedClient } from '../../../src/client/signed-client.ts';
import { connect, HurriedClock, serve } from './scripted-server.ts';

const REF = { bucket: 'bucket', key: 'key' };
const MIB = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const HEAD = { etag: '"e"', 'last-modified': 'Sat, 21 Nov 2026 12:00:00 GMT' };

/** Clock that counts the timers that have not fired yet. */
class CountingClock extends HurriedClock {
  pending = 0;

  override after(ms: number, run: () => void): () => void {
    this.pending += 1;
    const cancel = super.after(ms, run);
    let isOver = false;
    return () => {
      if (!isOver) this.pending -= 1;
      isOver = true;
      cancel();
    };
  }
}

/**
 * Reads the request and writes the response one chunk per event loop turn, so that an abort can
 * occur between any two chunks.
 */
function slowly(request: IncomingMessage, response: ServerResponse): void {
  const turn = (again: () => void) => void setImmediate(() => !response.destroyed && again());
  const give = (left: number) => {
    if (left > 0) response.write(Buffer.alloc(CHUNK_BYTES), () => turn(() => give(left - 1)));
    else response.end();
  };
  const take = () => {
    if (request.read() === null && request.readableEnded) {
      response.writeHead(200, {
        ...HEAD,
        'content-length': request.method === 'GET' ? 4 * MIB : 0,
      });
      if (request.method === 'GET') give((4 * MIB) / CHUNK_BYTES);
      else turn(() => void response.end());
    } else turn(take);
  };
  turn(take);
}

/** Path of an existing file of more than 12 MiB. */
const file = process.execPath;
let openFiles = 0;

function fileBody(stated: { sizeBytes: number; replayable: boolean; sha256?: string }) {
  return {
    ...stated,
    async *open() {
      const descriptor = openSync(file, 'r');
      openFiles += 1;
      try {
        for (let at = 0; at < stated.sizeBytes; at += CHUNK_BYTES) {
          const chunk = Buffer.alloc(CHUNK_BYTES);
          readSync(descriptor, chunk, 0, CHUNK_BYTES, at);
          yield chunk;
          await new Promise(setImmediate);
        }
      } finally {
        closeSync(descriptor);
        openFiles -= 1;
      }
    },
  };
}

/** Waits until the condition is true. The timeout of the test limits the wait. */
async function reached(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise(setImmediate);
}

type Call = (client: SignedClient, signal: AbortSignal) => Promise<unknown>;

const put =
  (stated: Parameters<typeof fileBody>[0]): Call =>
  (client, signal) =>
    client.putObject({ ...REF, body: fileBody(stated) }, { signal });

const CALLS: Readonly<Record<string, Call>> = {
  'a put of a body in memory': put({ sizeBytes: 4 * MIB, replayable: false }),
  'a put whose body is hashed before it is sent': put({ sizeBytes: 12 * MIB, replayable: true }),
  'a put of a streamed body': put({
    sizeBytes: 12 * MIB,
    replayable: true,
    sha256: '0'.repeat(64),
  }),
  'a put whose chunks are signed': put({ sizeBytes: 12 * MIB, replayable: false }),
  'a get': async (client, signal) => {
    const { body } = await client.getObject(REF, { signal });
    for await (const chunk of body) if (chunk.length === 0) throw new Error('an empty chunk');
  },
  'a delete': (client, signal) => client.deleteObject(REF, { signal }),
};

test.for(Object.entries(CALLS))(
  'an abort at any time ends %s and leaves no file, connection or timer open',
  async ([, call]) => {
    let openAnswers = 0;
    const { url } = await serve((request, response) => {
      openAnswers += 1;
      response.on('close', () => (openAnswers -= 1));
      slowly(request, response);
    });
    const clock = new CountingClock();
    const client = connect(url, { clock });
    await fc.assert(
      fc.asyncProperty(fc.nat(60), async (turns) => {
        const abort = new AbortController();
        const reason = new Error('enough');
        const outcome = call(client, abort.signal).then(
          () => 'done',
          (error: unknown) => error,
        );
        for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
        abort.abort(reason);
        expect(['done', reason]).toContain(await outcome);
        await reached(() => openFiles + openAnswers === 0);
        expect(clock.pending).toBe(0);
        expect(BODY_MEMORY.takenBytes).toBe(0);
        expect(client.concurrency).toMatchObject({ running: 0, waiting: 0 });
      }),
      { numRuns: 20 },
    );
  },
);

test('the client removes aborted calls from the queue of the concurrency limit', async () => {
  const { url, requests } = await serve(() => undefined);
  const client = connect(url);
  const abort = new AbortController();
  const outcomes = Array.from({ length: 40 }, () =>
    client.headObject(REF, { signal: abort.signal }).catch((error: unknown) => error),
  );
  await reached(() => requests.length === 16);
  expect(client.concurrency).toEqual({ limit: 16, running: 16, waiting: 24 });
  const reason = new Error('enough');
  abort.abort(reason);
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set([reason]));
  expect(client.concurrency).toEqual({ limit: 16, running: 0, waiting: 0 });
});

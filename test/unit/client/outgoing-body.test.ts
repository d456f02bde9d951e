/** Tests of the memory of request bodies: the buffers of multipart parts, which are reused. */

import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import { objectBody, type OutgoingBody } from '../../../src/client/outgoing-body.ts';
import { collect } from '../../../src/object-store/body.ts';
import { BODY_MEMORY, PART_BYTES } from '../../../src/object-store/body-memory.ts';
import { amzDialect as AMZ } from '../../../src/protocol/dialect.ts';

const SEED = { date: '', scope: '', signature: '', key: Buffer.alloc(0) };

/** Returns a part that is filled with `letter`. `beforeRead` runs before its bytes are read. */
function part(letter: string, beforeRead: () => Promise<void> = () => Promise.resolve()) {
  const bytes = Buffer.alloc(PART_BYTES, letter);
  return {
    sizeBytes: PART_BYTES,
    replayable: true,
    async *open() {
      await beforeRead();
      yield bytes;
    },
    read: async (into: Uint8Array) => {
      await beforeRead();
      into.set(bytes);
    },
  };
}

async function contentOf(body: OutgoingBody): Promise<string> {
  const content = body.content(SEED as never);
  if (content === undefined || content instanceof Uint8Array) throw new Error('expected pieces');
  const bytes = await collect(content, PART_BYTES);
  const isSigned = createHash('sha256').update(bytes).digest('hex') === body.payloadHash;
  const letters = new Set(Buffer.from(bytes).toString('latin1'));
  return `${[...letters].join('')} ${isSigned ? 'signed' : 'not signed'}`;
}

describe('the memory buffers of multipart parts', () => {
  test('the client reuses the buffer of a part for another part only after the first part is released', async () => {
    const first = await objectBody(part('a'), AMZ);
    const second = await objectBody(part('b'), AMZ);
    first.release();
    first.release();
    const third = await objectBody(part('c'), AMZ);
    const fourth = await objectBody(part('d'), AMZ);
    expect(await Promise.all([second, third, fourth].map(contentOf))).toEqual([
      'b signed',
      'c signed',
      'd signed',
    ]);
    for (const each of [second, third, fourth]) each.release();
    expect(BODY_MEMORY.takenBytes).toBe(0);
  });

  test('an interrupted read of one part does not write to the buffer of a later part', async () => {
    const held = await objectBody(part('h'), AMZ);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const interrupt = new AbortController();
    const interrupted = objectBody(
      part('x', () => late),
      AMZ,
      interrupt.signal,
    );
    interrupt.abort(new Error('interrupted'));
    await expect(interrupted).rejects.toThrow('interrupted');
    const next = await objectBody(part('n'), AMZ);
    resolve();
    await late;
    expect(await contentOf(next)).toBe('n signed');
    for (const each of [held, next]) each.release();
    expect(BODY_MEMORY.takenBytes).toBe(0);
  });

  test('the client releases the memory of a part that cannot be read', async () => {
    const failing = part('f', () => Promise.reject(new Error('cannot read')));
    await expect(objectBody(failing, AMZ)).rejects.toThrow('cannot read');
    expect(BODY_MEMORY.takenBytes).toBe(0);
  });
});

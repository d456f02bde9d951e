/**
 * Packs the objects of a bulk write for the writer thread. The bodies are copied once into one buffer, which is then
 * transferred to the thread without another copy.
 */

import type { InlineContent, SealedContent } from '../../blobs/content.ts';
import type { Envelope, PutObject, PutObjects } from './commands.ts';

/** A put of an object whose body is small enough to be stored in the database. */
export interface SmallPut extends PutObject {
  readonly content: InlineContent | SealedContent;
}

export function packed(bucket: string, puts: readonly SmallPut[]): PutObjects {
  const sizeBytes = puts.reduce((sum, { content }) => sum + content.bytes.byteLength, 0);
  const all = new Uint8Array(sizeBytes);
  let at = 0;
  const objects = puts.map(({ bucket: _bucket, content: { bytes, ...content }, ...put }) => {
    all.set(bytes, at);
    at += bytes.byteLength;
    return { ...put, content: { ...content, packedBytes: bytes.byteLength } };
  });
  return { bucket, objects, bytes: all };
}

/** Yields the objects of a bulk write. Their bodies are views of the shared buffer. */
export function* unpacked({ objects, bytes }: PutObjects): Generator<Omit<PutObject, 'bucket'>> {
  let at = 0;
  for (const { content, ...put } of objects) {
    const { packedBytes, ...rest } = content;
    yield { ...put, content: { ...rest, bytes: bytes.subarray(at, at + packedBytes) } };
    at += packedBytes;
  }
}

/** Splits a bulk write into bulk writes of one object each. */
export function splitObjects(envelope: Envelope<'putObjects'>): readonly Envelope[] {
  const { bucket, objects, bytes } = envelope.request;
  const parts: Envelope[] = [];
  let at = 0;
  for (const object of objects) {
    const start = at;
    at += object.content.packedBytes;
    const request = { bucket, objects: [object], bytes: bytes.subarray(start, at) };
    parts.push({ ...envelope, request });
  }
  return parts;
}

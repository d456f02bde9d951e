/** The bytes of an object, by the stream that the daemon opens for them. */

import type { Result } from '../../src/control/messages.ts';
import type { DaemonLink } from './daemon-link.ts';
import { asked } from './place.ts';
import type { ObjectPlace } from './place.ts';

interface Part {
  readonly bytes: Uint8Array;
  readonly info: Result<'objects.get'>['info'];
}

/** `count` bytes from `start` on, or fewer where the object ends. */
export async function readPart(
  link: DaemonLink,
  place: ObjectPlace,
  { start, count }: { start: number; count: number },
  signal: AbortSignal,
): Promise<Part> {
  const range = { start, end: start + count - 1 };
  const { stream, info } = await link.call('objects.get', { ...asked(place), range }, { signal });
  const client = await link.client('read object');
  const chunks: Uint8Array[] = [];
  for await (const chunk of client.download(stream, { signal })) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), info };
}

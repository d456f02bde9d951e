/** Reads the content of an object through a stream that the daemon opens. */

import type { Result } from '../../src/control/messages.ts';
import type { DaemonLink } from './daemon-link.ts';
import { asked } from './place.ts';
import type { ObjectPlace } from './place.ts';

interface Part {
  readonly bytes: Uint8Array;
  readonly info: Result<'objects.get'>['info'];
}

/** Reads `count` bytes of the object from offset `start`, or fewer if the object ends earlier. */
export async function readPart(
  link: DaemonLink,
  place: ObjectPlace,
  { start, count }: { start: number; count: number },
  signal: AbortSignal,
): Promise<Part> {
  const range = { start, end: start + count - 1 };
  const { stream, info } = await link.call('objects.get', { ...asked(place), range }, { signal });
  const client = await link.client();
  const chunks: Uint8Array[] = [];
  for await (const chunk of client.download(stream, { signal })) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), info };
}

/** Encodes rows as the body of a stream, one JSON object per line. The number of rows is not limited. */

import type { Clock } from '../../src/base/clock.ts';

/** Rows are sent in chunks of this size, or after `HELD_BACK_MS` if rows arrive slowly. */
const CHUNK_CHARACTERS = 16 * 1024;
const HELD_BACK_MS = 200;

/** Yields a chunk of rows when it is full, or when a row arrives `HELD_BACK_MS` after the last chunk. */
export async function* rowsBody(
  rows: AsyncIterable<object>,
  clock: Clock,
): AsyncGenerator<Uint8Array, void> {
  let text = '';
  let sentAt = clock.monotonic();
  for await (const row of rows) {
    text += `${JSON.stringify(row)}\n`;
    const isDue = clock.monotonic() - sentAt >= HELD_BACK_MS;
    if (text.length < CHUNK_CHARACTERS && !isDue) continue;
    yield Buffer.from(text);
    text = '';
    sentAt = clock.monotonic();
  }
  if (text !== '') yield Buffer.from(text);
}

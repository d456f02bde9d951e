/** Encodes rows as the body of a stream, one JSON object per line. The number of rows is unlimited. */

import type { Clock } from '../../src/base/clock.ts';

/** The size of a chunk of rows. If rows arrive slowly, a smaller chunk is sent after `HELD_BACK_MS`. */
const CHUNK_CHARACTERS = 16 * 1024;
const HELD_BACK_MS = 200;

/**
 * Yields a chunk of rows when it is full, or when a row arrives at least `HELD_BACK_MS` after the last
 * chunk.
 */
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

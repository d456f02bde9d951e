/** Answers without a bound on their length: one row of JSON a line, as the body of a stream. */

import type { Clock } from '../src/base/clock.ts';

/** Larger chunks cost fewer writes; who waits for rows that come seldom gets them within a moment. */
const CHUNK_CHARACTERS = 16 * 1024;
const HELD_BACK_MS = 200;

/** A row is passed on when the one after it comes late, or with others. */
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

/**
 * Generates valid form fields and contents. Also splits a form into chunks, as a network connection
 * does.
 */

import * as fc from 'fast-check';

import { BOUNDARY } from '../form.ts';

const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/), { maxLength: 4 });
const values = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => text.isWellFormed());
export const fields = names.chain((each) =>
  fc.record(
    Object.fromEntries(each.filter((name) => name !== 'file').map((name) => [name, values])),
    { noNullPrototype: true },
  ),
);
/**
 * Generates file contents. A content may contain a part of the boundary, but not the complete
 * boundary.
 */
export const contents = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      fc.constantFrom('\r\n', '\r\n--', `\r\n--${BOUNDARY.slice(0, -1)}`, '\r', '-'),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''))
  .filter((text) => !text.includes(`\r\n--${BOUNDARY}`));
export async function* inPieces(
  bytes: Buffer,
  sizes: readonly number[],
): AsyncGenerator<Uint8Array> {
  let turn = 0;
  for (let at = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

export async function wholeOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString('latin1');
}

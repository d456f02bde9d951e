/** Laws of forms and their policies: what browsers send, cut anywhere, and what nobody sends. */

import assert from 'node:assert/strict';

import * as fc from 'fast-check';

import { boundaryOf } from '../../../src/protocol/form/form-reader.ts';
import { checkPostPolicy, parsePostPolicy } from '../../../src/protocol/form/post-policy.ts';
import { readForm } from '../../../src/protocol/form/read-form.ts';
import { BOUNDARY, FORM_TYPE, formBody } from '../form.ts';
import { unlessRefused, unlessRefusedLater, type Law } from './law.ts';
import { mutated } from './mutated.ts';

/** Pieces that look like the end of something. */
const TOKENS = ['\r\n', '--', '\r', `\r\n--${BOUNDARY}`, `--${BOUNDARY}--`, '\r\n\r\n', '"', '\\'];

const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/), { maxLength: 4 });
const values = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => text.isWellFormed());
const fields = names.chain((each) =>
  fc.record(
    Object.fromEntries(each.filter((name) => name !== 'file').map((name) => [name, values])),
    { noNullPrototype: true },
  ),
);
/** Anything but a whole boundary. */
const contents = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      fc.constantFrom('\r\n', '\r\n--', `\r\n--${BOUNDARY.slice(0, -1)}`, '\r', '-'),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''))
  .filter((text) => !text.includes(`\r\n--${BOUNDARY}`));
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

async function* inPieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let turn = 0;
  for (let at = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function wholeOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString('latin1');
}

const text = fc.string({ maxLength: 8 });
const conditions = fc.array(
  fc.oneof(
    fc.dictionary(fc.constantFrom('key', 'bucket', 'acl'), text, { minKeys: 1 }),
    fc.tuple(fc.constantFrom('eq', 'starts-with'), fc.constantFrom('$key', '$acl'), text),
    fc.tuple(fc.constant('content-length-range'), fc.nat(), fc.nat()),
  ),
  { minLength: 1, maxLength: 5 },
);
const policies = conditions.map((each) =>
  JSON.stringify({ expiration: '2030-01-01T00:00:00Z', conditions: each }),
);
const POLICY_TOKENS = ['{', '}', '[', ']', '"$', 'eq', '1e999', 'null', '__proto__', '\\u0000'];

export const FORM_LAWS: readonly Law[] = [
  {
    claim: 'a form is read as it was written, however it is cut',
    runs: 400,
    property: fc.asyncProperty(fields, contents, cuts, async (given, content, sizes) => {
      const body = formBody(given, { content: Buffer.from(content, 'latin1') }, { late: 'x' });
      const form = await readForm(inPieces(body, sizes), FORM_TYPE);
      assert.deepEqual(Object.fromEntries(form.fields), given);
      assert.equal(await wholeOf(form.pieces()), content);
    }),
  },
  {
    claim: 'a form that is broken is refused, or read as something that it holds',
    runs: 600,
    property: fc.asyncProperty(
      mutated(
        fc
          .tuple(fields, contents)
          .map(([given, content]) =>
            formBody(given, { content: Buffer.from(content, 'latin1') }).toString('latin1'),
          ),
        TOKENS,
      ),
      cuts,
      async (broken, sizes) => {
        const bytes = Buffer.from(broken, 'latin1');
        await unlessRefusedLater(async () => {
          const form = await readForm(inPieces(bytes, sizes), FORM_TYPE);
          const content = await wholeOf(form.pieces());
          assert(bytes.toString('latin1').includes(content));
          for (const value of form.fields.values()) assert(bytes.includes(Buffer.from(value)));
        });
      },
    ),
  },
  {
    claim: 'a boundary is one that a body can have, or refused',
    runs: 300,
    property: fc.property(
      mutated(fc.constantFrom(FORM_TYPE, 'multipart/form-data; charset=x; boundary="a b"'), [
        'boundary=',
        '; ',
        '"',
      ]),
      (type) => {
        const boundary = unlessRefused(() => boundaryOf(type));
        if (boundary !== undefined) assert(boundary.length >= 1 && boundary.length <= 70);
      },
    ),
  },
  {
    claim: 'a policy is refused, or allows only fields that a condition speaks of',
    runs: 600,
    property: fc.property(mutated(policies, POLICY_TOKENS), text, (json, key) => {
      const given = new Map([
        ['key', key],
        ['bucket', 'b'],
        ['x-never-covered', 'x'],
      ]);
      const allowed = unlessRefused(() => {
        const policy = parsePostPolicy(Buffer.from(json).toString('base64'));
        return checkPostPolicy(policy, given, 0);
      });
      assert.equal(allowed, undefined);
    }),
  },
];

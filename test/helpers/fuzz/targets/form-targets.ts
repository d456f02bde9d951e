/**
 * Fuzz targets for upload forms and their policies. The gateway reads a form before it knows who
 * sent it.
 */

import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';

import * as fc from 'fast-check';

import { checkPostPolicy, parsePostPolicy } from '../../../../src/protocol/form/post-policy.ts';
import { readForm } from '../../../../src/protocol/form/read-form.ts';
import { BOUNDARY, FORM_TYPE, formBody } from '../../form.ts';
import { contents, fields, inPieces, wholeOf } from '../form-pieces.ts';
import { REQUEST_BUDGET_MS, type FuzzInput, type FuzzTarget } from '../target.ts';

/**
 * Maximum size of a form without its file: 64 KiB for the fields, and space for the headers of
 * their parts.
 */
const MAX_FORM_CHARACTERS = 128 * 1024;
/** Maximum size of a policy. The base64 form of such a policy fits into a field of 20 KiB. */
const MAX_POLICY_CHARACTERS = 15_000;

/** Pieces of text that resemble the end of a part or the end of the form. */
const FORM_TOKENS = [
  '\r\n',
  '--',
  '\r',
  `\r\n--${BOUNDARY}`,
  `--${BOUNDARY}--`,
  '\r\n\r\n',
  '"',
  '\\',
  '; ',
  'a="b"',
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n`,
  'a: b\r\n',
];
const POLICY_TOKENS = [
  '{',
  '}',
  '[',
  ']',
  '"$',
  'eq',
  '1e999',
  'null',
  '__proto__',
  '\\u0000',
  '["eq","$key","k"],',
];

const text = fc.string({ maxLength: 8 });
const conditions = fc.array(
  fc.oneof(
    fc.dictionary(fc.constantFrom('key', 'bucket', 'acl'), text, { minKeys: 1 }),
    fc.tuple(fc.constantFrom('eq', 'starts-with'), fc.constantFrom('$key', '$acl'), text),
    fc.tuple(fc.constant('content-length-range'), fc.nat(), fc.nat()),
  ),
  { minLength: 1, maxLength: 5 },
);

interface ReadForm {
  readonly fields: ReadonlyMap<string, string>;
  readonly content: string;
}

/** Yields each chunk in a separate turn of the event loop, as a network connection does. */
async function* received(form: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for await (const piece of inPieces(form, sizes)) {
    await nextTurn();
    yield piece;
  }
}

const sizesOf = ({ sizes = '' }: FuzzInput) =>
  sizes.split(',').map((size) => Math.min(Math.max(Math.trunc(Number(size)) || 1, 1), 65_536));

export const FORM_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'form',
    budgetMs: REQUEST_BUDGET_MS,
    fields: {
      form: {
        valid: fc
          .tuple(fields, contents)
          .map(([given, content]) =>
            formBody(given, { content: Buffer.from(content, 'latin1') }).toString('latin1'),
          ),
        tokens: FORM_TOKENS,
        maxLength: MAX_FORM_CHARACTERS,
      },
      sizes: {
        valid: fc.constantFrom('7', '1000', '40,1', '65536'),
        tokens: ['1,', '65536,'],
        maxLength: 40,
      },
    },
    prepare: (input) => {
      const form = Buffer.from(input['form'] ?? '', 'latin1');
      return async (): Promise<ReadForm> => {
        const read = await readForm(received(form, sizesOf(input)), FORM_TYPE);
        return { fields: read.fields, content: await wholeOf(read.pieces()) };
      };
    },
    check: (result, { form = '' }) => {
      const bytes = Buffer.from(form, 'latin1');
      const read = result as ReadForm;
      assert(bytes.toString('latin1').includes(read.content));
      for (const value of read.fields.values()) assert(bytes.includes(Buffer.from(value)));
    },
    runs: 600,
  },
  {
    name: 'form policy',
    budgetMs: REQUEST_BUDGET_MS,
    fields: {
      policy: {
        valid: conditions.map((each) =>
          JSON.stringify({ expiration: '2030-01-01T00:00:00Z', conditions: each }),
        ),
        tokens: POLICY_TOKENS,
        maxLength: MAX_POLICY_CHARACTERS,
      },
      key: { valid: text, maxLength: 1024 },
    },
    prepare: ({ policy = '', key = '' }) => {
      const base64 = Buffer.from(policy).toString('base64');
      const given = new Map([
        ['key', key],
        ['bucket', 'b'],
        ['x-never-covered', 'x'],
      ]);
      return () => checkPostPolicy(parsePostPolicy(base64), given, 0);
    },
    check: () => assert.fail('the policy allows a form field without a condition'),
    runs: 600,
  },
];

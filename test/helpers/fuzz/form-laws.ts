/**
 * Fuzz tests of upload forms: the parser must return exactly the fields and the content that a
 * browser sent.
 */

import assert from 'node:assert/strict';

import * as fc from 'fast-check';

import { boundaryOf } from '../../../src/protocol/form/form-reader.ts';
import { readForm } from '../../../src/protocol/form/read-form.ts';
import { FORM_TYPE, formBody } from '../form.ts';
import { contents, fields, inPieces, wholeOf } from './form-pieces.ts';
import { unlessRefused, type Law } from './law.ts';
import { mutated } from './mutated.ts';

const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

export const FORM_LAWS: readonly Law[] = [
  {
    claim: 'the form parser returns the sent fields and file for any sizes of the received pieces',
    runs: 400,
    property: fc.asyncProperty(fields, contents, cuts, async (given, content, sizes) => {
      const body = formBody(given, { content: Buffer.from(content, 'latin1') }, { late: 'x' });
      const form = await readForm(inPieces(body, sizes), FORM_TYPE);
      assert.deepEqual(Object.fromEntries(form.fields), given);
      assert.equal(await wholeOf(form.pieces()), content);
    }),
  },
  {
    claim: 'the parser of form boundaries returns 1 to 70 characters or refuses the boundary',
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
];

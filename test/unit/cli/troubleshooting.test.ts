/** Tests that docs/how-to/troubleshooting.md has a row for each error code that a user can meet. */

import { expect, it } from 'vitest';

import { MISTAKE_OF, STORAGE_HINTS } from '../../../src/cli/output/exit-codes.ts';
import { TRANSPORT_ERRORS } from '../../../src/object-store/transport-error.ts';
import { pageText } from '../../docs/pages.ts';

/** Error codes in the first column of all tables. */
const listed = new Set(
  [...pageText('docs/how-to/troubleshooting.md').matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(
    ([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, code = '']) => code),
  ),
);

it.each([
  ['of commands', MISTAKE_OF],
  ['of connections', TRANSPORT_ERRORS],
  ['of the storage protocol that have a hint', STORAGE_HINTS],
])('docs/how-to/troubleshooting.md lists all error codes %s', (_, codes) => {
  expect(Object.keys(codes).filter((code) => !listed.has(code))).toEqual([]);
});

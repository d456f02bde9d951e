/** Tests of `findMoves`, which pairs removed and added files with the same content. */

import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { findMoves } from '../../../src/cli/commands/restore/moves.ts';

const file = (path: string, etag: string, at = 0, sizeBytes = 1) => ({ path, etag, at, sizeBytes });

it('pairs a removed file with the file that was added with the same content', () => {
  const { moved, removed, added } = findMoves(
    [file('a', 'x'), file('b', 'y')],
    [file('c', 'x'), file('d', 'z')],
  );
  expect(moved).toEqual([{ from: file('a', 'x'), to: file('c', 'x') }]);
  expect([removed, added]).toEqual([[file('b', 'y')], [file('d', 'z')]]);
});

it.each([
  ['an empty file', file('a', 'x', 0, 0), file('b', 'x', 0, 0)],
  ['a file of another size', file('a', 'x', 0, 1), file('b', 'x', 0, 2)],
  ['a file that was removed and added under the same name', file('a', 'x'), file('a', 'x')],
  ['a file that was added an hour later', file('a', 'x', 0), file('b', 'x', 3_600_000)],
  ['a file that was added an hour earlier', file('a', 'x', 3_600_000), file('b', 'x', 0)],
])('does not count %s as moved', (_, from, to) => {
  expect(findMoves([from], [to])).toEqual({ moved: [], removed: [from], added: [to] });
});

it('keeps each file exactly once, in a pair or among the rest', () => {
  const files = fc.array(
    fc.record({
      path: fc.constantFrom('a', 'b', 'c', 'd'),
      etag: fc.constantFrom('x', 'y'),
      sizeBytes: fc.constantFrom(0, 1),
      at: fc.constantFrom(0, 1, 400_000),
    }),
  );
  fc.assert(
    fc.property(files, files, (gone, made) => {
      const { moved, removed, added } = findMoves(gone, made);
      expect(new Set([...removed, ...moved.map(({ from }) => from)])).toEqual(new Set(gone));
      expect(new Set([...added, ...moved.map(({ to }) => to)])).toEqual(new Set(made));
      expect(removed.length + moved.length).toBe(gone.length);
      expect(added.length + moved.length).toBe(made.length);
      for (const { from, to } of moved) expect(from.path).not.toBe(to.path);
    }),
  );
});

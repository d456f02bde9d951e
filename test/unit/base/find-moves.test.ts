/** Tests of move detection, which pairs a removed file with an added file that has the same content. */

import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { findMoves, movesAmong } from '../../../src/base/find-moves.ts';

const file = (path: string, etag: string, at = 0, sizeBytes = 1) => ({ path, etag, at, sizeBytes });

it('the move detection pairs a removed file with the file that was added with the same content', () => {
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
])('the move detection does not treat %s as a moved file', (_, from, to) => {
  expect(findMoves([from], [to])).toEqual({ moved: [], removed: [from], added: [to] });
});

it('the move detection returns each file exactly once: in a pair, or as a removed or added file', () => {
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

type Is = 'added' | 'changed' | 'removed' | 'attributes';

/** Changes such as `+a 1 x`, sorted by path and newest first, as the service lists them. */
const changes = (...texts: readonly string[]) =>
  texts
    .map((text, index) => {
      const [name = '', at, etag = 'x'] = text.split(' ');
      const is: Is =
        ({ '+': 'added', '~': 'changed', '-': 'removed' } as const)[name[0] ?? ''] ?? 'attributes';
      return Object.assign(file(name.slice(1), etag, Number(at) * 1_000), { is, index });
    })
    .toSorted((a, b) => (a.path === b.path ? b.index - a.index : a.path < b.path ? -1 : 1));

it.each([
  ['a move and the move back', ['+a 0', '+b 10', '-a 10', '+a 20', '-b 20'], ['a>b 10', 'b>a 20']],
  [
    'a move that was taken back twice',
    ['+a 0', '+b 10', '-a 11', '+a 20', '-b 21', '+b 30', '-a 31'],
    ['a>b 10', 'b>a 20', 'a>b 30'],
  ],
  ['a file that moved twice', ['+a 0', '+b 10', '-a 10', '+c 12', '-b 12'], ['a>b 10', 'b>c 12']],
  ['a deleted copy and a later move', ['+b 0', '+a 1', '-a 10', '+c 100', '-b 101'], ['b>c 100']],
  ['a copy that existed before the deleted file', ['+a 0', '+b 10', '-b 20'], []],
  ['a copy that existed before the deleted content', ['+b 0 y', '+a 1', '~b 2', '-b 3'], []],
  ['attributes that changed before the deletion', ['+a 0', '+b 10', '=b 15', '-b 20'], []],
  ['a file that replaced a moved one', ['+a 0', '+b 10', '-a 11', '+a 30 y'], ['a>b 10']],
  [
    'a folder of equal files',
    ['+d/1 0', '+d/2 0', '+e/1 10', '+e/2 10', '-d/2 10', '-d/1 10'],
    ['d/1>e/1 10', 'd/2>e/2 10'],
  ],
])(
  'the move detection pairs the removed and added files that are nearest in time: %s',
  (_, texts, expected) => {
    const rows = changes(...texts);
    const { moved, removed, added } = movesAmong(rows);
    const shown = moved
      .toSorted((a, b) => a.to.at - b.to.at || (a.to.path < b.to.path ? -1 : 1))
      .map(({ from, to }) => `${from.path}>${to.path} ${to.at / 1_000}`);
    expect(shown).toEqual(expected);
    const count = (is: Is) => rows.filter((row) => row.is === is).length;
    expect(removed.length + moved.length).toBe(count('removed'));
    expect(added.length + moved.length).toBe(count('added'));
  },
);

it('the move detection finds each move of a folder with many equal files', () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `${index}`);
  const { moved } = findMoves(
    names.map((name) => file(`d/${name}`, 'x', 10)),
    names.map((name) => file(`e/${name}`, 'x', 10)),
  );
  expect(moved.length).toBe(names.length);
});

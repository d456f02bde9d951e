/**
 * Tests that every relative link in the repository's Markdown files leads to an existing file and
 * heading.
 */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { deadLinks, linksOf } from './links.ts';
import { documents, filesOfRoot, ROOT } from './source-files.ts';

const pages = [...filesOfRoot(), ...documents('docs', 'src', 'test')].filter(({ path }) =>
  path.endsWith('.md'),
);
const texts = new Map(pages.map(({ path, text }) => [path, text]));

it.each(pages)('every relative link in $path leads to an existing file and heading', (page) => {
  const exists = (path: string) => existsSync(join(ROOT, path));
  expect(deadLinks(page, { exists, textOf: (path) => texts.get(path) })).toEqual([]);
});

it('every documentation page is linked from another page', () => {
  const linked = new Set(
    pages.flatMap(({ path, text }) =>
      linksOf(text)
        .filter(({ file }) => file !== '')
        .map(({ file }) => join(dirname(path), file)),
    ),
  );
  const below = [...texts.keys()].filter((path) => /^docs\/(?!decisions\/)/.test(path));
  expect(below.filter((path) => !linked.has(path))).toEqual([]);
});

it.each([
  ['a missing file', '[x](b.md)'],
  ['a missing picture', '![x](b.svg)'],
  ['a missing picture in an HTML element', '<img src="b.svg">'],
  ['a missing heading of another page', '[x](a.md#no-such)'],
  ['a missing heading of the same page', '[x](#no-such)'],
])('a link to %s is reported', (_, text) => {
  const textOf = () => '# A heading\n';
  expect(deadLinks({ path: 'a.md', text }, { exists: (path) => path === 'a.md', textOf })).toEqual([
    expect.any(String),
  ]);
});

it('links to existing headings, links to other sites and links inside code are accepted', () => {
  const text = [
    '[a](a.md#a-heading-2) [b](#the-code-x) [c](https://example.com/x)',
    '```sh\necho "[d](none.md)"\n```',
    '`[e](none.md)`',
    '## The `code` x',
  ].join('\n');
  const textOf = (path: string) => (path === 'a.md' ? '# A heading: 2\n' : text);
  expect(deadLinks({ path: 'b.md', text }, { exists: (path) => path === 'a.md', textOf })).toEqual(
    [],
  );
});

/** Tests of the syntax highlighting of previews. */

import { expect, onTestFinished, test } from 'vitest';

import { linesOfHtml } from '../../../tui/syntax/highlighted-html.ts';
import { languageOf } from '../../../tui/syntax/languages.ts';
import { brokenLines, paintedLine, shownText } from '../../../tui/syntax/span.ts';
import type { SpanLine } from '../../../tui/syntax/span.ts';
import { MOST_HIGHLIGHTED, SyntaxThread } from '../../../tui/syntax/syntax-thread.ts';
import { makeLook, THEMES } from '../../../tui/theme/look.ts';
import type { ColourDepth } from '../../../tui/theme/styles.ts';
import { plain } from '../../../tui/widgets/layout.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

function startThread(clock = new FakeClock()) {
  const thread = new SyntaxThread(clock);
  onTestFinished(() => thread.close());
  return thread;
}

const mono = makeLook('mono');
const textOf = (lines: readonly SpanLine[] = []) =>
  lines.map((line) => shownText(line, mono)).join('\n');

test.each([
  ['src/a.test.ts', undefined, 'typescript'],
  ['deploy/Dockerfile', undefined, 'dockerfile'],
  ['.bashrc', undefined, 'bash'],
  ['README.MD', undefined, 'markdown'],
  ['report', 'application/json', 'json'],
  ['map', 'application/geo+json', 'json'],
  ['page', 'text/html; charset=utf-8', 'xml'],
  ['script', 'text/x-python', undefined],
  ['notes.txt', 'text/plain', undefined],
  ['photo.jpg', 'image/jpeg', undefined],
])(
  'the dashboard detects the language of %s with content type %s: %s',
  (key, contentType, language) => {
    expect(languageOf(key, contentType)).toBe(language);
  },
);

test('the dashboard highlights keywords, strings, numbers and comments in a thread and keeps the text', async () => {
  const text = 'const a = "<b> & c"; // first\nreturn 12;';
  const lines = await startThread().highlight(text, 'typescript');
  expect(lines?.[0]).toContainEqual({ text: 'const', tone: 'accent' });
  expect(lines?.[0]).toContainEqual({ text: '"<b> & c"', tone: 'good' });
  expect(lines?.[0]).toContainEqual({ text: '// first', tone: 'dim' });
  expect(lines?.[1]).toContainEqual({ text: '12', tone: 'hold' });
  expect(textOf(lines)).toBe(text);
});

test('the dashboard highlights each line of a multi-line comment as a comment', async () => {
  const lines = await startThread().highlight('/* one\n\ntwo */ x', 'css');
  expect(lines?.slice(0, 2)).toEqual([[{ text: '/* one', tone: 'dim' }], []]);
  expect(lines?.[2]?.[0]).toEqual({ text: 'two */', tone: 'dim' });
});

test('the dashboard does not highlight a text for which a grammar needs too much time, but highlights the next one', async () => {
  const clock = new FakeClock();
  const thread = startThread(clock);
  // The Markdown grammar needs more than ten minutes for this text.
  const slow = thread.highlight('[a]('.repeat(MOST_HIGHLIGHTED / 4), 'markdown');
  clock.advance(2_000);
  expect(await slow).toBeUndefined();
  expect(textOf(await thread.highlight('# one', 'markdown'))).toBe('# one');
});

test('the dashboard does not highlight a text of more than 64 KiB', async () => {
  expect(await startThread().highlight('x'.repeat(MOST_HIGHLIGHTED + 1), 'c')).toBeUndefined();
});

test('the dashboard decodes the escaped characters of a highlighted text once', () => {
  const html = '<span class="hljs-string">&quot;&amp;lt;&#x27;</span>&lt;';
  expect(textOf(linesOfHtml(html))).toBe('"&lt;\'<');
});

test.each(['truecolour', '256', '16', 'mono'] as const satisfies readonly ColourDepth[])(
  'the dashboard keeps the text of a highlighted line in all themes with %s colors',
  async (depth) => {
    const [line = []] = (await startThread().highlight('let a = `${1}`;', 'javascript')) ?? [];
    for (const theme of THEMES) {
      const painted = paintedLine(line, 40, makeLook(theme, 'unicode', depth));
      expect(plain(painted)).toBe('let a = `${1}`;');
    }
  },
);

test('the dashboard truncates or breaks a highlighted line at the width of the pane and shows its control characters', () => {
  const line: SpanLine = [
    { text: 'ab\u{1b}[31m', tone: 'accent' },
    { text: '\tcd世界', tone: 'good' },
  ];
  const dark = makeLook('dark');
  expect(plain(paintedLine(line, 9, dark))).toBe('ab␛[31m …');
  expect(plain(paintedLine(line, 7, dark))).toBe('ab␛[31…');
  expect(plain(paintedLine(line.slice(0, 1), 7, dark))).toBe('ab␛[31m');
  const broken = brokenLines(line, 6, dark).map((part) => shownText(part, dark));
  expect(broken).toEqual(['ab␛[31', 'm    c', 'd世界']);
});

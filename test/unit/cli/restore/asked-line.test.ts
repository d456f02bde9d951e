/** Tests of the equivalent command line that `holdfast restore` prints after its questions. */

import { execFileSync } from 'node:child_process';
import { Readable } from 'node:stream';

import { expect, it } from 'vitest';

import { askedLine, typedTime } from '../../../../src/cli/commands/restore/ask/asked-line.ts';
import { Context } from '../../../../src/cli/context.ts';
import { parseAt } from '../../../../src/cli/arguments/when.ts';
import { copyableWord } from '../../../../src/cli/output/text.ts';
import { CapturedSink } from '../../../helpers/run-cli.ts';
import { FakeClock } from '../../../helpers/fake-clock.ts';

const NOW = Date.UTC(2026, 10, 21, 14, 3, 22, 500);

function contextOf(options: { readonly home?: string } = {}) {
  const clock = new FakeClock(NOW);
  const [stdout, stderr] = [new CapturedSink(), new CapturedSink()];
  return new Context(
    { stdin: Readable.from([]), stdout, stderr, env: {}, cwd: '/', clock },
    options,
  );
}

it.each([
  [{}, 'holdfast restore photos --in-place'],
  [{ to: '/tmp/my photos' }, "holdfast restore photos --to '/tmp/my photos'"],
  [
    { paths: ['2026/07', "it's", '-x'], at: Date.UTC(2026, 10, 20, 14) },
    "holdfast restore photos 2026/07 'it'\\''s' ./-x --at '2026-11-20 14:00' --in-place",
  ],
])('holdfast restore prints the answers %j as the command line %s', (asked, line) => {
  expect(askedLine(contextOf(), { job: 'photos', ...asked })).toBe(line);
});

it('holdfast restore includes the home of the command in the line and quotes names with control characters for the shell', () => {
  const request = { job: 'photos', paths: ['a\u{1b}[31m\nb\u{202e}'] };
  expect(askedLine(contextOf({ home: '/h' }), request)).toBe(
    "holdfast restore photos $'a\\x1b[31m\\nb\\xe2\\x80\\xae' --in-place --home /h",
  );
  const names = ["a\u{1b}'\\x\n", 'é\u{202e}$HOME', 'plain'];
  const script = names.map((name) => `printf '%s\\0' ${copyableWord(name)}`).join('\n');
  expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0')).toEqual([
    ...names,
    '',
  ]);
});

it.each([
  [Date.UTC(2026, 10, 20, 14), '2026-11-20 14:00'],
  [Date.UTC(2026, 10, 20, 14, 0, 0, 7), '2026-11-20 14:00:00'],
  [Date.UTC(2026, 10, 21) - 1, '2026-11-20 23:59:59'],
  [NOW, '2026-11-21 14:03:22'],
])('holdfast restore prints the time %i as %s, which is parsed as the same time', (at, text) => {
  const typed = typedTime(at, NOW);
  expect(typed.text).toBe(text);
  expect(parseAt(text, NOW)).toBe(typed.at);
  expect(typed.at - at).toBeLessThan(1_000);
});

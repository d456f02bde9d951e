/** Tests that the dashboard asks the terminal for its background, and that the answer is not taken for typed keys. */

import { PassThrough } from 'node:stream';

import { expect, onTestFinished, test } from 'vitest';

import { askBackground, canAskBackground } from '../../../tui/terminal/background.ts';
import { Themes } from '../../../tui/theme/themes.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

const [ESC, BEL] = ['\u{1b}', '\u{7}'];

function start() {
  const stdin = new PassThrough().setEncoding('utf8');
  const clock = new FakeClock();
  const found: string[] = [];
  let written = '';
  const stop = askBackground({
    stdin: stdin as unknown as NodeJS.ReadStream,
    write: (sequence) => {
      written += sequence;
    },
    clock,
    found: (background) => found.push(background),
  });
  onTestFinished(stop);
  /** Returns the keys that Ink reads after the terminal has sent these chunks, one after the other. */
  const keysOf = (...chunks: readonly string[]) =>
    chunks
      .map((chunk) => {
        stdin.write(chunk);
        let keys = '';
        for (let read = stdin.read(); read !== null; read = stdin.read()) keys += String(read);
        return keys;
      })
      .join('');
  return { clock, found, keysOf, written: () => written };
}

test.each([
  [`${ESC}]11;rgb:ffff/ffff/ffff${BEL}`, 'light'],
  [`${ESC}]11;rgb:fd/f6/e3${ESC}\\`, 'light'],
  [`${ESC}]11;rgba:1e1e/1e1e/1e1e/ffff${ESC}\\`, 'dark'],
  [`${ESC}]11;rgb:0000/2b2b/3636${BEL}`, 'dark'],
])(
  'the dashboard reads the answer %j of the terminal once, as a %s background',
  (answer, background) => {
    const { found, keysOf, written } = start();
    expect(written()).toBe(`${ESC}]11;?${BEL}`);
    expect(keysOf(`j${answer}k`)).toBe('jk');
    expect(found).toEqual([background]);
    expect(keysOf(answer)).toBe(answer);
    expect(found).toHaveLength(1);
  },
);

test('the dashboard reads an answer of the terminal that arrives in two parts, and the keys around it', () => {
  const answer = `${ESC}]11;rgb:ffff/ffff/ffff${ESC}\\`;
  for (let at = 2; at < answer.length; at += 1) {
    const { found, keysOf } = start();
    expect(keysOf(`j${answer.slice(0, at)}`, `${answer.slice(at)}k`)).toBe('jk');
    expect(found).toEqual(['light']);
  }
});

test.each(['jjjj', ESC, `${ESC}[A`, ']', 'q', 'é'])(
  'the dashboard receives the keys %j at once while it waits for the answer of the terminal',
  (keys) => {
    const { found, keysOf } = start();
    expect(keysOf(keys)).toBe(keys);
    expect(found).toEqual([]);
  },
);

test('the dashboard waits at most five seconds for the terminal to report its background', () => {
  const { clock, keysOf } = start();
  clock.advance(5_000);
  expect(keysOf(`${ESC}]`)).toBe(`${ESC}]`);
});

test.each([
  [{ TERM: 'xterm-256color' }, true],
  [{ TERM: 'screen-256color', TMUX: '/tmp/tmux' }, true],
  [{ TERM: 'screen', STY: '1.pts' }, false],
  [{ TERM: 'screen' }, false],
  [{ TERM: 'linux' }, false],
  [{ TERM: 'vt220' }, false],
  [{ TERM: 'xterm', NO_COLOR: '1' }, false],
  [{ TERM: 'xterm', COLORFGBG: '15;0' }, false],
])('the dashboard asks the terminal for its background in the environment %j: %s', (env, asks) => {
  expect(canAskBackground(env)).toBe(asks);
});

test('the dashboard uses the light theme if the terminal reports a light background, but keeps a selected theme', () => {
  const terminal = { depth: 'truecolour', background: 'dark', charset: 'unicode' } as const;
  const painted = (themes: Themes) => themes.look.paint('accent', 'x');
  const light = painted(new Themes({ ...terminal, background: 'light' }));
  const themes = new Themes(terminal);
  expect(painted(themes)).not.toBe(light);
  themes.setBackground('light');
  expect(painted(themes)).toBe(light);
  const chosen = new Themes(terminal, 'high-contrast');
  const before = painted(chosen);
  chosen.setBackground('light');
  expect(painted(chosen)).toBe(before);
});

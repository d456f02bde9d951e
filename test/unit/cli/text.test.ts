import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { messageText, shellWord, visible } from '../../../src/cli/output/text.ts';

describe('names on the terminal', () => {
  it.each([
    ['plain.txt', 'plain.txt'],
    ['Åse 写真 👩‍👩‍👧.jpg', 'Åse 写真 👩‍👩‍👧.jpg'],
    ['a\nb\tc\r', 'a\\nb\\tc\\r'],
    ['\u001b[2J', '\\x1b[2J'],
    ['\u009b31m', '\\x9b31m'],
    ['\u0000\u007f', '\\x00\\x7f'],
    ['gpj.\u202eexe', 'gpj.\\u202eexe'],
    ['a\u2028b', 'a\\u2028b'],
    ['\ud800', '\\ud800'],
  ])('the command line shows the name %j as %s on the terminal', (name, shown) => {
    expect(visible(name)).toBe(shown);
  });

  it('the command line never prints a control character of a name on the terminal', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (name) => !/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(visible(name)),
      ),
    );
  });
});

describe('times in messages of the daemon', () => {
  const AT = '2026-12-21T12:00:00.000Z';

  it.each([
    ['America/St_Johns', '2026-12-21 08:30:00 -03:30'],
    ['Asia/Kolkata', '2026-12-21 17:30:00 +05:30'],
    ['UTC', '2026-12-21 12:00:00 +00:00'],
  ])('the command line shows the end of a lock in the time zone %s as %s', (zone, shown) => {
    const text = join(import.meta.dirname, '../../../src/cli/output/text.ts');
    const message = JSON.stringify(`forbidden by object lock, COMPLIANCE until ${AT}: no user`);
    const script = `import { messageText } from '${text}'; console.log(messageText(${message}));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, TZ: zone, NODE_OPTIONS: '' },
    });
    expect(printed).toBe(`forbidden by object lock, COMPLIANCE until ${shown}: no user\n`);
  });

  it.each([
    [`its lock ends ${AT}`, 'its lock ends 2026-12-21 12:00:00 +00:00'],
    [
      `this machine's clock says ${AT}, but`,
      "this machine's clock says 2026-12-21 12:00:00 +00:00, but",
    ],
    [`object "${AT}" does not exist`, `object "${AT}" does not exist`],
    [`read until ${AT}.tar: no`, `read until ${AT}.tar: no`],
    ['a\nb', 'a\\nb'],
  ])('the command line displays the message %j of the daemon as %j', (message, shown) => {
    expect(messageText(message)).toBe(shown);
  });
});

describe('quoting for the shell', () => {
  it('the command line quotes words so that a shell reads them unchanged', () => {
    const texts = fc.string({ unit: 'grapheme-composite' }).filter((text) => !text.includes('\0'));
    const words = fc.sample(texts, 50).concat(["it's", '$HOME `id`', 'a\nb', '', '~', '"', '\\']);
    const script = words.map((word) => `printf '%s\\0' ${shellWord(word)}`).join('\n');
    const read = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
    expect(read.split('\0').slice(0, -1)).toEqual(words);
  });

  it.each([
    ['http://127.0.0.1:9010', 'http://127.0.0.1:9010'],
    ['holdfast:ada@local', 'holdfast:ada@local'],
    ['two words', "'two words'"],
  ])('the command line quotes the word %s for the shell as %s', (text, word) => {
    expect(shellWord(text)).toBe(word);
  });
});

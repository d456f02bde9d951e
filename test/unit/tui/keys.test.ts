/** The tables of commands: no key means two things at one place, and every key can be typed. */

import { describe, expect, test } from 'vitest';

import { FakeClock } from '../../helpers/fake-clock.ts';
import { TypeAhead } from '../../../tui/keys/type-ahead.ts';
import { keyNames, shownKey } from '../../../tui/keys/key-names.ts';
import { commandsOf, EVERYWHERE, LIST } from '../../../tui/keys/commands.ts';
import { PHRASES } from '../../../tui/keys/phrases.ts';
import { SCREEN_COMMANDS } from '../../../tui/keys/screen-commands.ts';

const SCOPES = Object.keys(SCREEN_COMMANDS);

test.each(SCOPES)('on %s every key has one meaning', (scope) => {
  const keys = commandsOf(scope, true).flatMap((command) => command.keys);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test.each(SCOPES)('on %s no key starts the sequence of another', (scope) => {
  const keys = commandsOf(scope, true).flatMap((command) => command.keys);
  const firsts = new Set(keys.filter((key) => key.includes(' ')).map((key) => key.split(' ')[0]));
  expect(keys.filter((key) => firsts.has(key))).toEqual([]);
});

test('no digit is a command: they choose screens, and count', () => {
  const all = [...EVERYWHERE, ...LIST, ...Object.values(SCREEN_COMMANDS).flat()];
  expect(all.flatMap(({ keys }) => keys).filter((key) => /\d/.test(key))).toEqual([]);
});

test('every command has its own id', () => {
  for (const scope of SCOPES) {
    const ids = commandsOf(scope, true).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('every phrase of the palette has its own name', () => {
  const names = PHRASES.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

const NO_KEY = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
};

test.each([
  ['several in one piece', 'jjG', {}, ['j', 'j', 'G']],
  ['a line with its end', ':q\r', {}, [':', 'q', 'enter']],
  ['Esc that looks like Alt', 'j', { meta: true }, ['esc', 'j']],
  ['Ctrl', 'd', { ctrl: true }, ['ctrl-d']],
  ['a control character in a piece', 'a\u{3}', {}, ['a', 'ctrl-c']],
  ['Shift-Tab', '', { tab: true, shift: true }, ['shift-tab']],
  ['an arrow', '', { upArrow: true }, ['up']],
  ['a character of two units', '🦊', {}, ['🦊']],
  ['a blank', ' ', {}, ['space']],
])('%s has a name', (_, input, key, names) => {
  expect(keyNames(input, { ...NO_KEY, ...key })).toEqual(names);
});

test('keys are shown as keyboards name them', () => {
  expect(['ctrl-d', 'g g', 'shift-tab', 'pageup', '?'].map(shownKey)).toEqual([
    'Ctrl-D',
    'g g',
    'Shift-Tab',
    'PgUp',
    '?',
  ]);
});

describe('what is typed while a command asks the daemon', () => {
  const begin = (isFree = () => false) => {
    const clock = new FakeClock();
    const ahead = new TypeAhead(clock);
    const did: string[] = [];
    const type = (key: string) => ahead.take(() => void did.push(key));
    const hold = ahead.command(isFree);
    void hold.over(new Promise<void>(() => undefined));
    type('a');
    type('b');
    return { clock, ahead, did, hold };
  };

  test('keys typed during a daemon request run afterwards, in order', () => {
    const { did, hold } = begin();
    expect(did).toEqual([]);
    hold.end();
    expect(did).toEqual(['a', 'b']);
  });

  test('keys typed while a screen opens wait for it', () => {
    let isOpen = false;
    const { did, ahead } = begin(() => isOpen);
    isOpen = true;
    ahead.release();
    expect(did).toEqual(['a', 'b']);
  });

  test('keys typed during a daemon request wait for a limited time', () => {
    const { did, clock } = begin();
    clock.advance(2_000);
    expect(did).toEqual(['a', 'b']);
  });

  test('Ctrl-C discards keys typed during a daemon request', () => {
    const { did, ahead, hold } = begin();
    ahead.forget();
    hold.end();
    expect(did).toEqual([]);
  });
});

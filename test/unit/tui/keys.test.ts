/**
 * Tests of the tables of commands: each key has one meaning per screen, and each key can be typed.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { FakeClock } from '../../helpers/fake-clock.ts';
import { TypeAhead } from '../../../tui/input/type-ahead.ts';
import { keyNames, shownKey } from '../../../tui/input/key-names.ts';
import { EVERYWHERE, LIST } from '../../../tui/commands/commands.ts';
import { Keymap, keyConflicts } from '../../../tui/input/keymap.ts';
import { loadKeymap } from '../../../tui/input/keys-file.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { PHRASES } from '../../../tui/app/phrases.ts';
import { SCREEN_COMMANDS } from '../../../tui/commands/screen-commands.ts';
import type { Scope } from '../../../tui/commands/screen-commands.ts';
import type { ActionsOf, Command } from '../../../tui/commands/command.ts';

const SCOPES = Object.keys(SCREEN_COMMANDS) as Scope[];

const keymap = new Keymap();

test.each(SCOPES)('the dashboard gives every key only one meaning on the screen %s', (scope) => {
  expect(keyConflicts(keymap.commandsOf(scope, true))).toEqual([]);
});

describe('keys that the user configures in keys.yaml', () => {
  const load = (text: string) => {
    const file = join(temporaryFolder('keys'), 'keys.yaml');
    writeFileSync(file, text);
    return loadKeymap(file);
  };
  const keysOf = (own: Keymap, id: string) =>
    own.commandsOf('jobs', true).find((command) => command.id === id)?.keys;

  test('the dashboard replaces the keys of commands on every screen by those in keys.yaml', async () => {
    const own = await load('job.pause: P\nlist.down: [j, ctrl-n]\njob.run: []\n');
    expect(keysOf(own, 'job.pause')).toEqual(['P']);
    expect(keysOf(own, 'list.down')).toEqual(['j', 'ctrl-n']);
    expect(keysOf(own, 'job.run')).toEqual([]);
    expect(keysOf(own, 'list.up')).toEqual(['k', 'up']);
    expect([own.isMotion('ctrl-n'), own.isMotion('down')]).toEqual([true, false]);
  });

  test('the dashboard uses the default keys without keys.yaml', async () => {
    const own = await loadKeymap(join(temporaryFolder('keys'), 'keys.yaml'));
    expect(keysOf(own, 'job.pause')).toEqual(['p']);
  });

  test.each([
    ['job.pause: e', 'e is a key of job.pause and job.edit'],
    ['job.pause: g', 'g is a key of job.pause, and begins g g of list.first'],
    ['jobs.pause: P', 'unknown command jobs.pause; did you mean job.pause?'],
    ['job.pause: F5', 'job.pause: "F5" is not a key'],
    ['job.pause: 5', 'job.pause: digits select screens and counts'],
    ['job.pause: ctrl-c', 'job.pause: ctrl-c cannot change'],
    ['app.redraw: x', 'the key of app.redraw cannot change'],
    ['app.quit: []', 'app.quit needs a key'],
    ['[job.pause]', 'write commands and their keys'],
    ['a: [', 'line 1:'],
  ])('the dashboard refuses keys.yaml with %j: %s', async (text, reason) => {
    await expect(load(text)).rejects.toThrow(reason);
  });
});

test('the dashboard uses no digit as the key of a command, because digits select screens and counts', () => {
  const all = [...EVERYWHERE, ...LIST, ...Object.values(SCREEN_COMMANDS).flat()];
  expect(all.flatMap(({ keys }) => keys).filter((key) => /\d/.test(key))).toEqual([]);
});

test('the dashboard gives every command a unique id on its screen', () => {
  for (const scope of SCOPES) {
    const ids = keymap.commandsOf(scope, true).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  }
});

test('the compiler refuses a dangerous action that has no question', () => {
  const commands = [
    { id: 'thing.open', title: 'open', keys: ['o'] },
    { id: 'thing.remove', title: 'remove', keys: ['D'], danger: 3 },
  ] as const satisfies readonly Command[];
  const run = () => undefined;
  const ask = () => ({ title: 'Remove it?', facts: [] });
  const actions: ActionsOf<typeof commands> = {
    'thing.open': { run },
    // @ts-expect-error the question is missing
    'thing.remove': { run },
  };
  const asking: ActionsOf<typeof commands> = { ...actions, 'thing.remove': { run, ask } };
  const inForm: ActionsOf<typeof commands> = {
    ...actions,
    'thing.remove': { run, asks: 'in its form' },
  };
  // @ts-expect-error an action is missing
  const missing: ActionsOf<typeof commands> = { 'thing.open': { run } };
  expect([asking, inForm, missing].map((each) => Object.keys(each).length)).toEqual([2, 2, 1]);
});

test('the dashboard gives every palette command a unique name', () => {
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
  ['several characters at once', 'jjG', {}, ['j', 'j', 'G']],
  ['a line with its line end', ':q\r', {}, [':', 'q', 'enter']],
  ['Esc reported as Alt', 'j', { meta: true }, ['esc', 'j']],
  ['Ctrl', 'd', { ctrl: true }, ['ctrl-d']],
  ['a control character after a letter', 'a\u{3}', {}, ['a', 'ctrl-c']],
  ['Shift-Tab', '', { tab: true, shift: true }, ['shift-tab']],
  ['an arrow key', '', { upArrow: true }, ['up']],
  ['a character of two UTF-16 code units', '🦊', {}, ['🦊']],
  ['a space', ' ', {}, ['space']],
])('the dashboard splits terminal input into named keys: %s', (_, input, key, names) => {
  expect(keyNames(input, { ...NO_KEY, ...key })).toEqual(names);
});

test('the dashboard displays keys with their names on keyboards', () => {
  expect(['ctrl-d', 'g g', 'shift-tab', 'pageup', '?'].map(shownKey)).toEqual([
    'Ctrl-D',
    'g g',
    'Shift-Tab',
    'PgUp',
    '?',
  ]);
});

describe('keys that are typed during a daemon request', () => {
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

  test('the dashboard runs the commands of keys typed during a daemon request after the request, in order', () => {
    const { did, hold } = begin();
    expect(did).toEqual([]);
    hold.end();
    expect(did).toEqual(['a', 'b']);
  });

  test('the dashboard runs the commands of keys typed while a screen opens once it is open', () => {
    let isOpen = false;
    const { did, ahead } = begin(() => isOpen);
    isOpen = true;
    ahead.release();
    expect(did).toEqual(['a', 'b']);
  });

  test('the dashboard runs the commands of keys typed during a daemon request after two seconds even if it has not ended', () => {
    const { did, clock } = begin();
    clock.advance(2_000);
    expect(did).toEqual(['a', 'b']);
  });

  test('the dashboard discards the keys typed during a daemon request after Ctrl-C', () => {
    const { did, ahead, hold } = begin();
    ahead.forget();
    hold.end();
    expect(did).toEqual([]);
  });
});

/** Converts terminal input to key names: `j`, `G`, `space`, `enter`, `esc`, `ctrl-d`, `up`. */

import type { Key } from 'ink';

const NAMED: readonly (readonly [keyof Key, string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageDown', 'pagedown'],
  ['pageUp', 'pageup'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
];

/**
 * Returns the names of the typed keys. Fast typing arrives as one string (`jjjj`). Esc and the next key may arrive
 * together as Alt with that key; they are treated as two keys, because the dashboard uses no Alt keys.
 */
export function keyNames(input: string, key: Key): string[] {
  if (key.eventType === 'release') return [];
  const named = NAMED.find(([name]) => key[name] === true)?.[1];
  if (named !== undefined) return key.meta ? ['esc', named] : [named];
  if (key.tab) return [key.shift ? 'shift-tab' : 'tab'];
  if (key.escape) return ['esc'];
  if (key.ctrl) return input === '' ? [] : [`ctrl-${input}`];
  const typed = typedKeys(input);
  return key.meta ? ['esc', ...typed] : typed;
}

const CONTROL: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u{1b}': 'esc',
  '\u{7f}': 'backspace',
  '\b': 'backspace',
  ' ': 'space',
};

/** Limits the keys in one input. No user types so many at once, so further keys are ignored. */
const MOST_KEYS = 256;

function typedKeys(input: string): string[] {
  return Array.from(input, nameOf).slice(0, MOST_KEYS);
}

function nameOf(character: string): string {
  const named = CONTROL[character];
  if (named !== undefined) return named;
  const codePoint = character.codePointAt(0) ?? 0;
  return codePoint < 0x20 ? `ctrl-${String.fromCharCode(codePoint + 0x60)}` : character;
}

/** Returns the character that a key inserts into a text field, or undefined if the key inserts none. */
export function characterOf(key: string): string | undefined {
  if (key === 'space') return ' ';
  return Array.from(key).length === 1 ? key : undefined;
}

const SHOWN: Readonly<Record<string, string>> = {
  enter: 'Enter',
  esc: 'Esc',
  space: 'Space',
  tab: 'Tab',
  'shift-tab': 'Shift-Tab',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  home: 'Home',
  end: 'End',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  backspace: 'Backspace',
  delete: 'Del',
};

/** Returns the displayed name of a key: `Ctrl-D` for `ctrl-d`. Sequences such as `g g` are unchanged. */
export function shownKey(key: string): string {
  return key
    .split(' ')
    .map(
      (each) =>
        SHOWN[each] ?? each.replace(/^ctrl-(.)$/, (_, c: string) => `Ctrl-${c.toUpperCase()}`),
    )
    .join(' ');
}

/** Returns whether the text is a key name in the form that `keyNames` returns: `j`, `G`, `space`, `ctrl-d`, `up`. */
export function isKeyName(name: string): boolean {
  return Object.hasOwn(SHOWN, name) || /^ctrl-[a-z]$/.test(name) || characterOf(name) === name;
}

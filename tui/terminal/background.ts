/**
 * Asks the terminal for its background colour (xterm, "OSC 11"). The answer arrives among the typed keys and is removed
 * from them.
 */

import type { Clock } from '../../src/base/clock.ts';
import { luminance } from '../theme/colour.ts';

type Env = Readonly<Record<string, string | undefined>>;

interface Background {
  readonly stdin: NodeJS.ReadStream;
  readonly write: (sequence: string) => void;
  readonly clock: Clock;
  /** Called once, with `light` or `dark`. It is not called if the terminal does not answer in time. */
  readonly found: (background: 'dark' | 'light') => void;
}

const [ESCAPE, BELL] = ['\u{1b}', '\u{7}'];
const QUESTION = `${ESCAPE}]11;?${BELL}`;
const ANSWER = new RegExp(
  `${ESCAPE}\\]11;rgba?:([\\da-f]+)/([\\da-f]+)/([\\da-f]+)[\\da-f/]*(?:${BELL}|${ESCAPE}\\\\)`,
  'i',
);
/** The start of an answer at the end of the input. A lone Esc is not treated as one, because it is a key. */
const START = new RegExp(`${ESCAPE}\\](?:1(?:1(?:;[rgb:\\da-f/]*${ESCAPE}?)?)?)?$`, 'i');
/**
 * The time to wait for an answer. Until it ends, typed keys that look like the start of an answer are withheld. Later
 * answers are unlikely.
 */
const ANSWERS_WITHIN_MS = 5_000;
/** Above this luminance, black text has more contrast than white text. */
const LIGHT_FROM = 0.18;

/**
 * Returns whether to ask the terminal for its background. Most terminals that do not know the question ignore it, but
 * the Linux console and GNU Screen do not. A terminal without colours has no themes, and `COLORFGBG` already contains
 * the answer.
 */
export function canAskBackground(env: Env): boolean {
  const { TERM: term = '', TMUX: tmux, COLORFGBG: known, NO_COLOR: none } = env;
  if (known || none || env['STY']) return false;
  return !/^(?:linux|dumb|vt\d)/.test(term) && (!term.startsWith('screen') || Boolean(tmux));
}

/** Asks for the background. Call the returned function to stop waiting for the answer. */
export function askBackground({ stdin, write, clock, found }: Background): () => void {
  const read = stdin.read.bind(stdin);
  let held = '';
  const stop = () => {
    cancel();
    stdin.read = read;
  };
  const cancel = clock.after(ANSWERS_WITHIN_MS, stop);
  // Ink reads the keys with this method, so no key is read twice or lost.
  stdin.read = (size) => {
    const chunk = read(size) as string | Buffer | null;
    if (chunk === null) return null;
    const text = held + chunk.toString();
    held = '';
    const answer = ANSWER.exec(text);
    if (answer) {
      stop();
      found(luminanceOf(answer.slice(1)) > LIGHT_FROM ? 'light' : 'dark');
      return text.replace(answer[0], '');
    }
    held = START.exec(text)?.[0] ?? '';
    return text.slice(0, text.length - held.length);
  };
  write(QUESTION);
  return stop;
}

/** Returns the relative luminance, from 0 to 1. Terminals send each part with one to four hexadecimal digits. */
function luminanceOf(parts: readonly string[]): number {
  const byteOf = (part = '0') => (Number.parseInt(part, 16) / (16 ** part.length - 1)) * 255;
  const [red, green, blue] = parts;
  return luminance([byteOf(red), byteOf(green), byteOf(blue)]);
}

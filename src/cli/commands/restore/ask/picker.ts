/** Shows a screen on the terminal's alternate buffer, and passes keys to it until it has a result. */

import { emitKeypressEvents, type Key } from 'node:readline';
import { ReadStream } from 'node:tty';

import { invariant } from '../../../../base/errors.ts';
import { catchInterrupts } from '../../../interrupts.ts';
import { stopped } from '../../../output/ask.ts';
import { type Io, painter, type Paint, type Tone } from '../../../output/output.ts';
import { cutEnd, widthOf } from '../../../output/progress-lines.ts';

export interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** A part of a line in plain text. */
export interface Span {
  readonly text: string;
  readonly tone?: Tone | undefined;
}

export type Line = readonly Span[];

export interface Picker<R> {
  /** Returns at most `rows` lines. Lines that are too long are truncated. */
  lines(size: Size): readonly Line[];
  /**
   * Handles a key. `key` is a character, or the name of a key such as `up` or `enter`. Returns a result if the user
   * has made a choice.
   */
  press(key: string, size: Size): { readonly result: R } | undefined;
}

export interface Screen {
  /** Draws the screen soon. Many calls in a row cause a single draw. */
  readonly redraw: () => void;
  /** Closes the screen with an error. */
  readonly fail: (error: unknown) => void;
  /** Aborted when the screen closes. */
  readonly signal: AbortSignal;
}

/** The minimum time between two draws while data arrives. */
const REDRAW_MS = 100;

const ENTER = '\u{1b}[?1049h\u{1b}[?25l';
const LEAVE = '\u{1b}[?25h\u{1b}[?1049l';

/**
 * Resolves with the result of the picker that `open` returns. Rejects with CommandError `Declined` on Ctrl-C, and with
 * the reason of a signal that ends the process. The terminal is restored in every case.
 */
export async function runPicker<R>(io: Io, open: (screen: Screen) => Picker<R>): Promise<R> {
  const { stdin, stderr } = io;
  invariant(stdin instanceof ReadStream, 'the caller checks that standard input is a terminal');
  const paint = painter(stderr, io.env);
  const interrupts = catchInterrupts(stderr);
  const ended = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<R>();
  const sizeNow = (): Size => ({ rows: stderr.rows || 24, columns: stderr.columns || 80 });
  let cancel: (() => void) | undefined;
  const draw = () => {
    cancel = undefined;
    stderr.write(frameOf(picker.lines(sizeNow()), sizeNow(), paint));
  };
  const redraw = () => {
    if (!ended.signal.aborted) cancel ??= io.clock.after(REDRAW_MS, draw);
  };
  const picker = open({ redraw, fail: reject, signal: ended.signal });
  const onKey = (text: string | undefined, key: Key) => {
    if (key.ctrl && key.name === 'c') return reject(stopped());
    const name = keyName(text, key);
    const done = name === undefined ? undefined : picker.press(name, sizeNow());
    if (done) return resolve(done.result);
    draw();
  };
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  stdin.on('keypress', onKey).resume();
  stderr.on('resize', draw);
  interrupts.signal.addEventListener('abort', () => reject(interrupts.signal.reason), {
    once: true,
  });
  try {
    stderr.write(ENTER);
    draw();
    return await promise;
  } finally {
    ended.abort();
    cancel?.();
    stdin.off('keypress', onKey).pause();
    stderr.off('resize', draw);
    stdin.setRawMode(false);
    stderr.write(LEAVE);
    interrupts.release();
  }
}

const KEYS = new Set('up down left right pageup pagedown home end escape backspace tab'.split(' '));

function keyName(text: string | undefined, { name = '', ctrl, meta }: Key): string | undefined {
  if (name === 'return' || name === 'enter') return 'enter';
  if (KEYS.has(name)) return name;
  return ctrl || meta || text === undefined || /\p{C}/u.test(text) ? undefined : text;
}

/**
 * Returns the text that replaces the screen. It overwrites the lines in place, so that the screen does not flicker.
 */
function frameOf(lines: readonly Line[], { rows, columns }: Size, paint: Paint): string {
  const drawn = lines.slice(0, rows).map((line) => `${lineText(line, columns, paint)}\u{1b}[K`);
  return `\u{1b}[H${drawn.join('\r\n')}\u{1b}[J`;
}

function lineText(line: Line, columns: number, paint: Paint): string {
  // A character in the last column would cause a line wrap on some terminals.
  let room = columns - 1;
  return line
    .map(({ text, tone }) => {
      const cut = room > 0 ? cutEnd(text, room) : '';
      room -= widthOf(cut);
      return tone && cut !== '' ? paint(tone, cut) : cut;
    })
    .join('');
}

/** A text input with one line. */

import { characterOf } from '../input/key-names.ts';
import { clustersOf, tailOf, widthOf } from '../text/width.ts';
import type { Look } from '../theme/look.ts';

/**
 * The maximum length of the input. An object key has at most 1,024 bytes, but a user may paste a policy of several
 * kilobytes into one line.
 */
const MOST_CHARACTERS = 16_384;

export class TextInput {
  readonly #isSecret: boolean;
  #before: string[] = [];
  #after: string[] = [];

  /** Creates the input with an initial text. A secret is drawn as stars. */
  constructor(text = '', { isSecret = false }: { readonly isSecret?: boolean } = {}) {
    this.#before = clustersOf(text);
    this.#isSecret = isSecret;
  }

  get text(): string {
    return [...this.#before, ...this.#after].join('');
  }

  set text(text: string) {
    this.#before = clustersOf(text);
    this.#after = [];
  }

  /** Inserts pasted or completed text at the cursor. Line feeds become spaces. */
  insert(text: string): void {
    const room = MOST_CHARACTERS - this.#before.length - this.#after.length;
    const clean = text.replaceAll(/[\r\n\t]+/g, ' ').replaceAll(/\p{Cc}/gu, '');
    this.#before.push(...clustersOf(clean).slice(0, Math.max(0, room)));
  }

  /** Handles a key. Returns false if the key does not edit the text. */
  onKey(key: string): boolean {
    const move = MOVES[key];
    if (move) {
      [this.#before, this.#after] = move(this.#before, this.#after);
      return true;
    }
    const character = characterOf(key);
    if (character === undefined) return false;
    this.insert(character);
    return true;
  }

  /**
   * Draws at most `width` cells of the text: the part around the cursor, or the start of the text if the input is not
   * focused.
   */
  draw(width: number, look: Look, focused = true): string {
    if (!focused) return look.cut(this.#shown(this.#all.slice(0, width + 1), look), width);
    // Only the visible part is processed, because a pasted policy may be long and is redrawn after every key.
    const after = this.#shown(this.#after.slice(0, width + 1), look);
    const [under = ' ', ...rest] = clustersOf(after);
    const room = Math.max(1, width - widthOf(under) - 1);
    const before = this.#end(room, look);
    const left = Math.max(0, width - widthOf(before) - widthOf(under));
    const tail = look.cut(rest.join(''), left);
    return before + look.paint('cursor', under) + tail;
  }

  /** Returns the whole text as it is drawn. */
  shown(look: Look): string {
    return this.#shown(this.#all, look);
  }

  get #all(): readonly string[] {
    return [...this.#before, ...this.#after];
  }

  /** Returns the text before the cursor. If its start is cut off, a mark shows this. */
  #end(width: number, look: Look): string {
    const shown = this.#shown(this.#before.slice(-width - 1), look);
    if (widthOf(shown) <= width) return shown;
    const { ellipsis } = look.glyphs;
    return ellipsis + tailOf(clustersOf(shown), width - widthOf(ellipsis));
  }

  #shown(clusters: readonly string[], look: Look): string {
    return this.#isSecret ? '*'.repeat(clusters.length) : look.name(clusters.join(''));
  }
}

type Halves = [string[], string[]];
type Move = (before: string[], after: string[]) => Halves;

const toStart: Move = (before, after) => [[], [...before, ...after]];
const toEnd: Move = (before, after) => [[...before, ...after], []];
const left: Move = (before, after) => [before.slice(0, -1), [...before.slice(-1), ...after]];
const right: Move = (before, after) => [[...before, ...after.slice(0, 1)], after.slice(1)];

const MOVES: Readonly<Record<string, Move>> = {
  left,
  right,
  'ctrl-b': left,
  'ctrl-f': right,
  home: toStart,
  'ctrl-a': toStart,
  end: toEnd,
  'ctrl-e': toEnd,
  backspace: (before, after) => [before.slice(0, -1), after],
  'ctrl-h': (before, after) => [before.slice(0, -1), after],
  delete: (before, after) => [before, after.slice(1)],
  'ctrl-d': (before, after) => [before, after.slice(1)],
  'ctrl-u': (_before, after) => [[], after],
  'ctrl-k': (before) => [before, []],
  'ctrl-w': (before, after) => {
    const words = before.join('').replace(/\S+\s*$/u, '');
    return [clustersOf(words), after];
  },
};

/** Makes bursts of changes: creates, rewrites, moves or deletes up to 1,000 small files at once, as a checkout does. */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Dice } from './dice.ts';

/** The folder that contains the folders of all bursts, and nothing else. */
export const BURSTS = 'bursts';
const FOLDERS = ['one', 'two', 'three'];
const WEIGHTS = { rewrite: 4, move: 3, delete: 2 };
const SMALL_BYTES = 3_000;
/** The size of every hundredth file. The store saves such a file outside its database. */
const LARGER_BYTES = 70_000;

export interface BurstOptions {
  readonly root: string;
  readonly dice: Dice;
  /** The maximum number of files that a burst creates. It creates at least half as many. */
  readonly files: number;
  /** Returns a new text of this size, which the checks accept as content of a file. */
  readonly text: (sizeBytes: number) => string;
}

export class BurstLife {
  readonly #options: BurstOptions;

  constructor(options: BurstOptions) {
    this.#options = options;
  }

  /** Makes one burst. Returns what it did, and the paths of some of its files. */
  step(): { readonly done: string; readonly paths: readonly string[] } {
    const { root, dice, files } = this.#options;
    const [name = '', other = ''] = [dice.pick(FOLDERS), dice.pick(FOLDERS)];
    const [folder, target] = [join(root, BURSTS, name), join(root, BURSTS, other)];
    const deed = existsSync(folder) ? dice.weighed(WEIGHTS) : 'create';
    const count = Math.ceil(dice.between(files / 2, files));
    const created = Array.from({ length: count }, (_, index) => `file ${index}`);
    const changed = deed === 'create' ? created : readdirSync(folder);
    if (deed === 'delete') rmSync(folder, { recursive: true });
    else if (deed === 'move') move(folder, target);
    else this.#write(folder, changed);
    return {
      done: `${deed} ${changed.length} files in ${name}${deed === 'move' ? ` to ${other}` : ''}`,
      paths: changed.slice(0, 3).map((file) => join(BURSTS, name, file)),
    };
  }

  #write(folder: string, names: readonly string[]): void {
    const { dice, text } = this.#options;
    mkdirSync(folder, { recursive: true });
    for (const name of names) {
      const sizeBytes = dice.below(100) === 0 ? LARGER_BYTES : 1 + dice.below(SMALL_BYTES);
      writeFileSync(join(folder, name), text(sizeBytes));
    }
  }
}

/** Moves a folder, or its files one by one if the target exists. */
function move(folder: string, target: string): void {
  if (!existsSync(target)) renameSync(folder, target);
  else for (const name of readdirSync(folder)) renameSync(join(folder, name), join(target, name));
}

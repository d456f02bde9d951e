/** A rule of access that is said wrongly, and the tree in which it is. */

import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Focus } from '../helpers/engine-cases.ts';

export interface Mutation {
  /** The rule as it is when it is right. */
  readonly rule: string;
  /** Below `src/`. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly from: string;
  readonly to: string;
  /** What cases of the engine's law are to be about, so that few are enough. */
  readonly focus?: Focus;
}

const ROOT = join(import.meta.dirname, '../..');

/** Modules of a copy of `src/` in which one rule is another. */
export class Mutant {
  readonly #dir: string;

  /** Throws where the text to be replaced is not there, or more than once: then the table is behind the rules. */
  constructor({ rule, file, from, to }: Mutation, rooms: readonly string[]) {
    const text = readFileSync(join(ROOT, 'src', file), 'utf8');
    const [before = '', after, ...more] = text.split(from);
    if (after === undefined || more.length > 0) {
      throw new Error(
        `change "${rule}": ${JSON.stringify(from)} stands ${more.length + (after === undefined ? 0 : 1)} times in ${file}`,
      );
    }
    this.#dir = mkdtempSync(join(tmpdir(), 'holdfast-mutant-'));
    mkdirSync(join(this.#dir, 'src'));
    for (const room of rooms)
      cpSync(join(ROOT, 'src', room), join(this.#dir, 'src', room), { recursive: true });
    for (const shared of ['node_modules', 'package.json'])
      symlinkSync(join(ROOT, shared), join(this.#dir, shared));
    writeFileSync(join(this.#dir, 'src', file), before + to + after);
  }

  /** `path` is below `src/`. */
  async load<Module>(path: string): Promise<Module> {
    return (await import(pathToFileURL(join(this.#dir, 'src', path)).href)) as Module;
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** A job's watch: opened when the first folder is to be watched, anew after it was closed. */

import type { TreeWatch } from './watch.ts';

export class FolderWatch {
  readonly #open: () => TreeWatch;
  #watch: TreeWatch | undefined;

  constructor(open: () => TreeWatch) {
    this.#open = open;
  }

  add(directories: readonly string[]): Promise<void> {
    this.#watch ??= this.#open();
    return this.#watch.addFolders(directories);
  }

  remove(directory: string): void {
    this.#watch?.removeFolder(directory);
  }

  coverage(): ReturnType<TreeWatch['coverage']> | undefined {
    return this.#watch?.coverage();
  }

  async close(): Promise<void> {
    const watch = this.#watch;
    this.#watch = undefined;
    await watch?.close();
  }
}

/** A watch that is opened when the first folder is added, and reopened after it was closed. */

import { defined } from '../../../base/defined.ts';
import type { Coverage, TreeWatch } from './watch.ts';

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

  /**
   * Returns the coverage of the watch; undefined while it is closed. `missed` is the path of a change that no
   * event announced.
   */
  coverage(missed: string | undefined): Coverage | undefined {
    const coverage = this.#watch?.coverage();
    return coverage && { ...coverage, ...defined({ missed }) };
  }

  async close(): Promise<void> {
    const watch = this.#watch;
    this.#watch = undefined;
    await watch?.close();
  }
}

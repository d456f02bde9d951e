/** Reads the sizes of the folders in a prefix, which the daemon counts in the background. */

import type { Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../ui/ui.ts';
import { asked, isLocal } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import { Polling } from '../../data/polling.ts';

export type Sums = NonNullable<Result<'folders.sizes'>['folder']>;

const COUNTING_MS = 1_000;
const COUNTED_MS = 30_000;

export class FolderSums {
  readonly #polling: Polling;
  #isCounting = false;
  #sums: ReadonlyMap<string, Sums> = new Map();

  /** `changed` is called after each reading. */
  constructor(ui: Ui, place: BucketPlace, prefix: () => string, changed: () => void) {
    // At another service a count costs requests, so that it starts only on the screen of sizes.
    const count = isLocal(place) ? 'missing' : 'never';
    this.#polling = new Polling({
      clock: ui.clock,
      link: ui.link,
      everyMs: () => (this.#isCounting ? COUNTING_MS : COUNTED_MS),
      read: async (signal) => {
        const params = { ...asked(place), prefix: prefix(), count } as const;
        const { isCounting, folders } = await ui.call('folders.sizes', params, { signal });
        this.#isCounting = isCounting;
        this.#sums = new Map(folders.map((folder) => [folder.prefix, folder]));
      },
      changed,
    });
  }

  /** Undefined until the folder has been counted. */
  of(prefix: string): Sums | undefined {
    return this.#sums.get(prefix);
  }

  /** Reads the sizes now, and again while the screen is shown. */
  start(): void {
    this.#polling.start();
  }

  stop(): void {
    this.#polling.stop();
  }
}

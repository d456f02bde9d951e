/**
 * Loads the sizes of a prefix and of the folders below it. The daemon counts them in the
 * background.
 */

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

  /** `changed` is called after each update of the sizes. */
  constructor(ui: Ui, place: BucketPlace, prefix: () => string, changed: () => void) {
    // On a remote service, counting costs requests, so it starts only on the usage screen.
    const count = isLocal(place) ? 'missing' : 'never';
    this.#polling = new Polling({
      clock: ui.clock,
      link: ui.link,
      everyMs: () => (this.#isCounting ? COUNTING_MS : COUNTED_MS),
      read: async (signal) => {
        const params = { ...asked(place), prefix: prefix(), count } as const;
        const answer = await ui.call('folders.sizes', params, { signal });
        const { isCounting, folder, folders } = answer;
        this.#isCounting = isCounting;
        const sums = folders.map((each) => [each.prefix, each] as const);
        this.#sums = new Map<string, Sums>(folder ? [[params.prefix, folder], ...sums] : sums);
      },
      changed,
    });
  }

  /** Returns a folder's size, or undefined until the folder has been counted. */
  of(prefix: string): Sums | undefined {
    return this.#sums.get(prefix);
  }

  /** Loads the sizes now, and again while the screen is visible. */
  start(): void {
    this.#polling.start();
  }

  stop(): void {
    this.#polling.stop();
  }
}

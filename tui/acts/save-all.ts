/** Saves many objects in a local folder, including all objects below prefixes. */

import type { Ui, Work } from '../ui/ui.ts';
import type { BucketPlace } from '../data/place.ts';
import { countText, numberText } from '../../src/text/amounts.ts';
import { fileNames } from '../text/file-name.ts';
import { shortPath } from '../text/home-path.ts';
import { pagesBelow } from './below.ts';
import { showFailures } from './many.ts';
import type { Failure } from './many.ts';
import { openSaveAllForm, saveBelow } from './save.ts';

export interface Wanted {
  readonly place: BucketPlace;
  /** The prefix that is removed from the keys to get file names. */
  readonly prefix: string;
  readonly keys: readonly string[];
  readonly folders: readonly string[];
}

export function openSaveAll(ui: Ui, wanted: Wanted): void {
  openSaveAllForm(ui, (folder) => saveAll(ui, wanted, folder));
}

interface Saved {
  count: number;
  readonly failures: Failure[];
  /** The paths that were already saved. Two keys may map to the same file name. */
  readonly taken: Set<string>;
}

async function saveAll(ui: Ui, wanted: Wanted, folder: string): Promise<void> {
  const saved: Saved = { count: 0, failures: [], taken: new Set() };
  const { place, keys, folders } = wanted;
  await ui.work('saving', async (work) => {
    work.left = 'it stops; the saved files are complete';
    const { signal } = work.abort;
    const one = (key: string) => saveEach(ui, { wanted, folder, key, work }, saved);
    for (const key of keys) await one(key);
    for (const prefix of folders) {
      for await (const page of pagesBelow(ui, place, prefix, signal)) {
        for (const { key } of page) await one(key);
      }
    }
  });
  showFailures(ui, 'saving', saved.failures);
  ui.notify(
    `saved ${countText(saved.count, 'file')} below ${shortPath(folder, ui.outside.userHome)}`,
  );
}

interface One {
  readonly wanted: Wanted;
  readonly folder: string;
  readonly key: string;
  readonly work: Work;
}

async function saveEach(ui: Ui, one: One, saved: Saved): Promise<void> {
  const { wanted, folder, key, work } = one;
  work.abort.signal.throwIfAborted();
  const names = fileNames(key.slice(wanted.prefix.length));
  // The key represents a folder. Other tools create such keys for empty folders.
  if (names === undefined) return;
  try {
    const path = names.join('/');
    if (saved.taken.has(path)) throw new Error(`another object was saved as ${path}`);
    saved.taken.add(path);
    await saveBelow(ui, { ...wanted.place, key }, { folder, names, work });
    saved.count += 1;
  } catch (error) {
    work.abort.signal.throwIfAborted();
    saved.failures.push({ name: key, reason: ui.errorWords(error) });
  }
  work.progress = numberText(saved.count);
  ui.changes.soon();
}

/** Opens a bucket from any screen. */

import { isBucketName } from '../../../src/config/bucket-name.ts';
import type { Ui } from '../../ui/ui.ts';
import { noteBucket } from '../../data/notes.ts';
import { asked, parsePlace } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import { PromptOverlay } from '../../widgets/prompt.ts';
import { DELIMITER } from './object-rows.ts';
import { folderOf, ObjectsScreen } from './objects-screen.ts';

/** Opens an existing bucket. If `key` does not end with `/`, opens the key's folder and moves the cursor to the key. */
export function openBucket(ui: Ui, place: BucketPlace, key = ''): void {
  const screen = new ObjectsScreen(ui, place, folderOf(key));
  ui.router.open(screen);
  if (key !== '') screen.goTo(key);
}

/** Opens a bucket by name. A bucket of another user is saved in the notes file, because no listing contains it. */
export async function openNamed(ui: Ui, place: BucketPlace, typed = ''): Promise<void> {
  const key = await meantBy(ui, place, typed);
  const { bucket, ...store } = asked(place);
  const { buckets } = await ui.call('buckets.list', store);
  if (!buckets.some(({ name }) => name === bucket)) {
    await noteBucket(ui.outside.notesFile, place);
  }
  openBucket(ui, place, key);
}

/** Returns `2026/` for `2026` if this folder exists and no object has the name `2026`. */
async function meantBy(ui: Ui, place: BucketPlace, typed: string): Promise<string> {
  const params = { ...asked(place), prefix: typed, delimiter: DELIMITER, maxKeys: 1 };
  const { objects, commonPrefixes } = await ui.call('objects.list', params);
  if (objects.some(({ key }) => key === typed)) return typed;
  return commonPrefixes.includes(typed + DELIMITER) ? typed + DELIMITER : typed;
}

/** Asks for a bucket name and opens the bucket. */
export function askBucket(ui: Ui): void {
  const onEnter = (typed: string) => {
    const { place, rest } = parsePlace(typed.trim());
    if (!isBucketName(place.bucket)) return 'not a valid bucket name';
    void ui.attempt(() => openNamed(ui, place, rest));
    return undefined;
  };
  ui.openOverlay(new PromptOverlay(ui, { label: 'bucket (or target:bucket): ', onEnter }));
}

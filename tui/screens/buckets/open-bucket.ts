/** The way into a bucket, from wherever it is named. */

import type { Ui } from '../../app/ui.ts';
import { noteBucket } from '../../store/notes.ts';
import { asked } from '../../store/place.ts';
import type { BucketPlace } from '../../store/place.ts';
import { ObjectsScreen } from '../objects/objects-screen.ts';

/** A bucket that is known to be there; `prefix` may be the start of a key, too. */
export function openBucket(ui: Ui, place: BucketPlace, prefix = ''): void {
  ui.router.open(new ObjectsScreen(ui, place, prefix), 'buckets');
}

/** A bucket by its name: that of somebody else is listed nowhere, and so it is remembered. */
export async function openNamed(ui: Ui, place: BucketPlace, prefix = ''): Promise<void> {
  await ui.call('objects.list', { ...asked(place), prefix, maxKeys: 1 });
  const { bucket, ...store } = asked(place);
  const { buckets } = await ui.call('buckets.list', store);
  if (!buckets.some(({ name }) => name === bucket)) {
    await noteBucket(ui.outside.notesFile, place);
  }
  openBucket(ui, place, prefix);
}

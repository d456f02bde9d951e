/** Completes a typed key or prefix with the keys in the bucket. */

import type { Ui } from '../../ui/ui.ts';
import { asked } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import { DELIMITER } from './object-rows.ts';

/** The maximum number of names that are loaded for one completion. */
const MOST_NAMES = 200;

/**
 * Returns the longest common start of all names that begin with `typed`. Returns undefined if this start is not longer
 * than `typed`.
 */
export async function completedKey(
  ui: Ui,
  place: BucketPlace,
  typed: string,
): Promise<string | undefined> {
  const names = await namesFrom(ui, place, typed);
  const common = names.reduce(commonStart, names[0] ?? typed);
  return common.length > typed.length ? common : undefined;
}

/** Returns the prefixes and keys that start with `prefix`. */
export async function namesFrom(ui: Ui, place: BucketPlace, prefix: string): Promise<string[]> {
  const params = { ...asked(place), prefix, delimiter: DELIMITER, maxKeys: MOST_NAMES };
  const { objects, commonPrefixes } = await ui.call('objects.list', params);
  return [...commonPrefixes, ...objects.map(({ key }) => key)];
}

function commonStart(a: string, b: string): string {
  let common = a;
  while (!b.startsWith(common)) common = common.slice(0, -1);
  return common;
}

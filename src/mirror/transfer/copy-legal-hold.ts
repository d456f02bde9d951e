/** A legal hold goes with a file to its new name: it is set on the copy before the old key gets its marker. */

import { defined } from '../../base/defined.ts';
import type { PerformContext } from './step.ts';
import { type Place, readVersion, type VersionName } from '../objects/destination.ts';
import type { BaselineEntry } from '../model/types.ts';

/** One request for each moved file, where there are holds at all. */
export async function isHeldByLaw(
  { path, versionId }: Pick<BaselineEntry, 'path' | 'versionId'>,
  { place, policy, signal }: Pick<PerformContext, 'place' | 'policy' | 'signal'>,
): Promise<boolean> {
  if (policy().bucket !== 'object-lock') return false;
  const found = await readVersion(place, { key: path, ...defined({ versionId }) }, signal);
  return found !== 'absent' && found.legalHold === true;
}

/** Services drop the hold that came with a copy, and say nothing. Rejects where it cannot be set. */
export async function keepHold(
  place: Place,
  { key, versionId }: VersionName,
  signal: AbortSignal,
): Promise<void> {
  const found = await readVersion(place, { key, ...defined({ versionId }) }, signal);
  if (found === 'absent' || found.legalHold === true) return;
  const { store, bucket, prefix } = place;
  const object = { bucket, key: prefix + key, ...defined({ versionId: found.versionId }) };
  await store.putLegalHold({ ...object, legalHold: true }, { signal });
}

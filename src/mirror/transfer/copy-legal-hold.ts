/** Copies the legal hold of a moved file to its new key, before the old key gets its delete marker. */

import { defined } from '../../base/defined.ts';
import type { PerformContext } from './step.ts';
import { type Place, readVersion, type VersionName } from '../objects/destination.ts';
import type { BaselineEntry } from '../model/types.ts';

/** Sends one request for each moved file, in buckets with Object Lock only. */
export async function hasLegalHold(
  { path, versionId }: Pick<BaselineEntry, 'path' | 'versionId'>,
  { place, policy, signal }: Pick<PerformContext, 'place' | 'policy' | 'signal'>,
): Promise<boolean> {
  if (policy().bucket !== 'object-lock') return false;
  const found = await readVersion(place, { key: path, ...defined({ versionId }) }, signal);
  return found !== 'absent' && found.legalHold === true;
}

/** Sets the legal hold if the service dropped it from the copy without an error. Rejects if it cannot be set. */
export async function setLegalHold(
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

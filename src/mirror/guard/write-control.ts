/** Writes that the user asks for in a job's place, beside its rounds: guarded and locked as those of the rounds are. */

import { randomUUID } from 'node:crypto';

import { statedAttributes } from '../../object-store/copy-whole.ts';
import type { LockRequest, ObjectAttributes } from '../../object-store/object-store.ts';
import { decodeAttributes, withUpload } from '../local/attributes.ts';
import type { Place } from '../target.ts';
import type { NewVersions } from '../locks/job-locks.ts';
import type { Guards } from './guards.ts';

export interface WriteControl {
  /**
   * With the store that guards writes as well as the service allows. Rejects with MirrorError `Unguarded` where the job
   * may not write, or as the store does.
   */
  readonly place: (signal: AbortSignal) => Promise<Place>;
  /** What a version of this key (below the prefix) is locked with now. Rejects with MirrorError `ClockDiffers`. */
  readonly lockFor: (key: string) => Promise<LockRequest | undefined>;
  /** What a copy says of itself that is a new version: its own upload, in place of the source's. */
  readonly attributesOfCopy: (source: ObjectAttributes) => Promise<ObjectAttributes>;
}

export function controlWrites(
  guards: Guards,
  place: Place,
  { lock, uploadTime }: NewVersions,
): WriteControl {
  const look = async (signal: AbortSignal) => {
    await guards.lookAtBucket(signal);
    return place;
  };
  const attributesOfCopy = async (source: ObjectAttributes) =>
    describeCopy(source, await uploadTime());
  return { place: look, lockFor: lock, attributesOfCopy };
}

/** A copy of what another tool wrote gets no id of ours. */
export function describeCopy(source: ObjectAttributes, uploadedAt: number): ObjectAttributes {
  const isOurs = decodeAttributes(source.metadata).journalId !== undefined;
  const upload = { uploadedAt, ...(isOurs && { journalId: randomUUID() }) };
  return { ...statedAttributes(source), metadata: withUpload(source.metadata, upload) };
}

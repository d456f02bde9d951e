/** Writes that the user asks for in a job's place, beside its rounds: guarded and locked as those of the rounds are. */

import { randomUUID } from 'node:crypto';

import { statedAttributes } from '../../object-store/copy-whole.ts';
import type { LockRequest, ObjectAttributes, ObjectInfo } from '../../object-store/object-store.ts';
import { provenMetadata } from '../objects/proven-metadata.ts';
import type { Provenance } from '../objects/provenance.ts';
import { withUpload } from '../objects/object-metadata.ts';
import type { JobPlace, Place } from '../objects/destination.ts';
import type { NewVersions } from '../objects/lock-rules.ts';
import type { ConditionalWrites } from '../capabilities/conditional-writes.ts';

export interface WriteControl {
  /**
   * With the store that guards writes as well as the service allows. Rejects with MirrorError `Unguarded` where the job
   * may not write, or as the store does.
   */
  readonly place: (signal: AbortSignal) => Promise<Place>;
  /** What a version of this key (below the prefix) is locked with now. Rejects with MirrorError `ClockDiffers`. */
  readonly lockFor: (key: string) => Promise<LockRequest | undefined>;
  /** What a copy says of itself that is a new version of a key (below the prefix): its own upload, not the source's. */
  readonly attributesOfCopy: (key: string, source: ObjectInfo) => Promise<ObjectAttributes>;
  /** Has the job compare these keys of the bucket with its folder: a store reports no change that is made through `place`. */
  readonly compare: (keys: readonly string[]) => void;
}

export function controlWrites(
  guards: ConditionalWrites,
  place: JobPlace,
  { lock, uploadTime, hear }: NewVersions & { readonly hear: (key: string) => void },
): WriteControl {
  const look = async (signal: AbortSignal) => {
    await guards.lookAtBucket(signal);
    return place;
  };
  const attributesOfCopy = async (key: string, source: ObjectInfo) =>
    describeCopy({ ...source, key }, await uploadTime(), place.provenance);
  const compare = (keys: readonly string[]) => {
    for (const key of keys) hear(key.slice(place.prefix.length));
  };
  return { place: look, lockFor: lock, attributesOfCopy, compare };
}

/** A copy of what another tool wrote gets no id and no proof of ours: it stays another tool's. */
export function describeCopy(
  source: ObjectInfo & { readonly key: string },
  uploadedAt: number,
  provenance: Provenance,
): ObjectAttributes {
  const { metadata = {} } = source;
  const isOwn = provenance.isOwn({ ...source, metadata });
  const upload = { uploadedAt, ...(isOwn && { journalId: randomUUID() }) };
  const described = isOwn ? provenMetadata(source, provenance) : metadata;
  const attributes = { ...statedAttributes(source), metadata: withUpload(described, upload) };
  return isOwn ? provenance.prove(attributes, source) : attributes;
}

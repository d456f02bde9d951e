/**
 * Writes to a job's destination at the user's request, outside the job's rounds. These writes use the same conditions
 * and locks as the rounds.
 */

import { randomUUID } from 'node:crypto';

import type { Clock } from '../../base/clock.ts';
import { statedAttributes, type UploadLog } from '../../object-store/copy-whole.ts';
import type { LockRequest, ObjectAttributes, ObjectInfo } from '../../object-store/object-store.ts';
import { provenMetadata } from '../objects/provenance.ts';
import type { Provenance } from '../objects/provenance.ts';
import { withUpload } from '../objects/object-metadata.ts';
import type { JobDestination, Destination } from '../objects/destination.ts';
import type { NewVersions } from '../objects/lock-rules.ts';
import type { StateFile } from '../state/state-file.ts';
import { copyLog } from './resumable-upload.ts';
import type { SaveLocal } from './save-version.ts';
import type { ConditionalWrites } from '../capabilities/conditional-writes.ts';

export interface WriteControl {
  /**
   * Returns the destination with a store that makes writes as safe as the service allows. Rejects with MirrorError
   * `Unguarded` if the job may not write, or with the store's errors.
   */
  readonly destination: (signal: AbortSignal) => Promise<Destination>;
  /**
   * Returns the lock for a new version of a key. The key is relative to the prefix. Rejects with MirrorError
   * `ClockDiffers` while the clocks differ too much.
   */
  readonly lockFor: (key: string) => Promise<LockRequest | undefined>;
  /**
   * Returns the attributes for a copy that becomes a key's new version. They describe the copy's own upload, not the
   * source's. The key is relative to the prefix.
   */
  readonly attributesOfCopy: (key: string, source: ObjectInfo) => Promise<ObjectAttributes>;
  /** Records the multipart upload of a copy, so that the job aborts the upload after a crash. */
  readonly recordCopy: RecordCopy;
  /** Stores a local file's content as a version before the file is replaced. */
  readonly saveLocal: SaveLocal;
  /**
   * Makes the job compare these keys with its folder. It is necessary because a store does not report changes that are
   * made through `destination`.
   */
  readonly compare: (keys: readonly string[]) => void;
}

/**
 * Returns the log of a key's upload. The log is in use until `release` is called. The key is relative to the prefix.
 */
export type RecordCopy = (key: string) => UploadLog & { readonly release: () => void };

interface WriteParts extends NewVersions {
  readonly state: StateFile;
  readonly clock: Clock;
  readonly hintKey: (key: string) => void;
  readonly saveLocal: SaveLocal;
}

export function controlWrites(
  guards: ConditionalWrites,
  destination: JobDestination,
  { lock, uploadTime, hintKey, saveLocal, state, clock }: WriteParts,
): WriteControl {
  const guardedDestination = async (signal: AbortSignal) => {
    await guards.readBucket(signal);
    return destination;
  };
  const attributesOfCopy = async (key: string, source: ObjectInfo) =>
    describeCopy({ ...source, key }, await uploadTime(), destination.provenance);
  const compare = (keys: readonly string[]) => {
    for (const key of keys) hintKey(key.slice(destination.prefix.length));
  };
  const saveGuarded: SaveLocal = async (path, seen, signal) => {
    await guards.readBucket(signal);
    return saveLocal(path, seen, signal);
  };
  const recordCopy: RecordCopy = (key) => {
    const id = randomUUID();
    const release = state.uploads.hold(id);
    return { ...copyLog({ id, key, startedAt: clock.now() }, { state }), release };
  };
  const copies = { lockFor: lock, attributesOfCopy, recordCopy };
  return { destination: guardedDestination, ...copies, saveLocal: saveGuarded, compare };
}

/**
 * Returns a copy's attributes. If another tool wrote the source, the copy gets no journal id and no proof, so that it
 * still counts as another tool's object.
 */
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

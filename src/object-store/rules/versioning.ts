/** Defines how a write without a version id changes the versions of its key. */

import type { Versioning } from '../buckets.ts';

/**
 * The id of a version that was written without versioning or while versioning was suspended. A key has at most one such
 * version.
 */
export const NULL_VERSION_ID = 'null';

export interface VersionStep {
  /** What becomes the current version: a version or marker with a new id, the null version or marker, or nothing. */
  readonly adds: 'new' | 'null' | 'nothing';
  /** Whether the key's null version, an object or a delete marker, is deleted first. */
  readonly removesNull: boolean;
  /** Whether the response contains the version id. A bucket that never had versioning returns none. */
  readonly returnsVersionId: boolean;
}

const PUT: Readonly<Record<Versioning | 'never', VersionStep>> = {
  never: { adds: 'null', removesNull: true, returnsVersionId: false },
  Enabled: { adds: 'new', removesNull: false, returnsVersionId: true },
  Suspended: { adds: 'null', removesNull: true, returnsVersionId: true },
};

/** Returns the effect of a put, a copy or a completed multipart upload. `versioning` is undefined if it was never set. */
export function putStep(versioning: Versioning | undefined): VersionStep {
  return PUT[versioning ?? 'never'];
}

/**
 * Returns the effect of a delete without a version id. It adds a delete marker, whether or not the key exists. If
 * versioning was never set, it deletes the object and adds nothing.
 */
export function deleteStep(versioning: Versioning | undefined): VersionStep {
  return versioning === undefined ? { ...PUT.never, adds: 'nothing' } : PUT[versioning];
}

/** Defines how a write without a version ID changes the versions of its key, depending on the bucket's versioning. */

import type { Versioning } from '../buckets.ts';

/**
 * The ID of the null version, which is written without versioning or while versioning is suspended. A key has at most
 * one null version.
 */
export const NULL_VERSION_ID = 'null';

export interface VersionStep {
  /**
   * What becomes the current version: a version or delete marker with a new ID, a null version or null delete marker,
   * or nothing.
   */
  readonly adds: 'new' | 'null' | 'nothing';
  /** Whether the key's null version (an object or a delete marker) is deleted first. */
  readonly removesNull: boolean;
  /** Whether the response contains the version ID. A bucket that never had versioning returns none. */
  readonly returnsVersionId: boolean;
}

const PUT: Readonly<Record<Versioning | 'never', VersionStep>> = {
  never: { adds: 'null', removesNull: true, returnsVersionId: false },
  Enabled: { adds: 'new', removesNull: false, returnsVersionId: true },
  Suspended: { adds: 'null', removesNull: true, returnsVersionId: true },
};

/**
 * Returns how a put, a copy or a completed multipart upload changes the versions. `versioning` is undefined if
 * versioning was never set.
 */
export function putStep(versioning: Versioning | undefined): VersionStep {
  return PUT[versioning ?? 'never'];
}

/**
 * Returns how a delete without a version ID changes the versions. It adds a delete marker, even if the key does not
 * exist. If versioning was never set, it deletes the object and adds nothing.
 */
export function deleteStep(versioning: Versioning | undefined): VersionStep {
  return versioning === undefined ? { ...PUT.never, adds: 'nothing' } : PUT[versioning];
}

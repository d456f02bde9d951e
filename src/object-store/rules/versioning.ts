/** The null-version matrix: what a write without a version id does to the versions of its key. */

import type { Versioning } from '../buckets.ts';

/** The id of the version that was, or is, written without versioning. A key has at most one such. */
export const NULL_VERSION_ID = 'null';

export interface VersionStep {
  /** What is added on top: a version or marker with a new id, the null version or marker, or nothing. */
  readonly adds: 'new' | 'null' | 'nothing';
  /** Whether the key's null version, object or marker, goes first. */
  readonly removesNull: boolean;
  /** Whether the response contains the id: a bucket that never had versioning returns none. */
  readonly returnsVersionId: boolean;
}

const PUT: Readonly<Record<Versioning | 'never', VersionStep>> = {
  never: { adds: 'null', removesNull: true, returnsVersionId: false },
  Enabled: { adds: 'new', removesNull: false, returnsVersionId: true },
  Suspended: { adds: 'null', removesNull: true, returnsVersionId: true },
};

/** Put, copy and the completion of a multipart upload. `versioning` is undefined if it never was set. */
export function putStep(versioning: Versioning | undefined): VersionStep {
  return PUT[versioning ?? 'never'];
}

/**
 * A delete without a version id: what it adds is a delete marker, whether or not the key exists. Where
 * versioning never was on, the object just goes.
 */
export function deleteStep(versioning: Versioning | undefined): VersionStep {
  return versioning === undefined ? { ...PUT.never, adds: 'nothing' } : PUT[versioning];
}

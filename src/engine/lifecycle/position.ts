/**
 * Defines the position of a lifecycle scan through all buckets. A position is plain data that can be stored as text,
 * and it remains valid after any change to the store. In each bucket, the scan covers first the versions and then the
 * uploads, both ordered by key.
 */

import type { WalkedVersion, WalkState } from '../../object-store/rules/lifecycle-walk.ts';
import { StorageError } from '../../object-store/storage-error.ts';

export interface LifecycleVersion extends WalkedVersion {
  readonly sequence: number;
  readonly versionId: string;
}

export interface Position {
  /** The ID of the bucket that is being scanned. With `end`, the ID of the last scanned bucket. */
  readonly bucketId: number;
  readonly among: 'versions' | 'uploads' | 'end';
  /**
   * The row after which the scan continues; the row need not exist any more. Absent at the start of versions or
   * uploads.
   */
  readonly after?: { readonly key: string; readonly sequence: number };
  /** The state of the rule evaluation after the scanned versions of the key `after.key`. */
  readonly state?: WalkState<LifecycleVersion>;
}

export const BEGINNING: Position = { bucketId: 0, among: 'end' };

/** Encodes the position as the base64url of its JSON, for a response and for the record of a run. */
export function formatPosition(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Decodes a position that `formatPosition` encoded. Throws `InvalidArgument` if the text is not a valid position. */
export function parsePosition(token: string): Position {
  try {
    const position: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (isPosition(position)) return position;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new StorageError('InvalidArgument', 'preview lifecycle: "after" is not a valid position', {
    details: { ArgumentName: 'after' },
  });
}

function isPosition(value: unknown): value is Position {
  if (!isObject(value) || !Number.isSafeInteger(value['bucketId'])) return false;
  const { among, after, state } = value;
  if (among !== 'versions' && among !== 'uploads' && among !== 'end') return false;
  return (after === undefined || isRow(after)) && (state === undefined || isState(state));
}

function isRow(value: unknown): boolean {
  return (
    isObject(value) && typeof value['key'] === 'string' && Number.isSafeInteger(value['sequence'])
  );
}

function isState(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { key, newerModifiedAt, newer, marker, stays } = value;
  return (
    typeof key === 'string' &&
    [newerModifiedAt, newer].every((each) => typeof each === 'number') &&
    typeof stays === 'boolean' &&
    (marker === undefined || isObject(marker))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * The position of a scan of all buckets. It is plain data, is stored as JSON, and remains valid after any changes of the
 * store. In each bucket versions come before uploads, both in the order of their keys.
 */

import type { WalkedVersion, WalkState } from '../../object-store/rules/lifecycle-walk.ts';
import { StorageError } from '../../object-store/storage-error.ts';

export interface LifecycleVersion extends WalkedVersion {
  readonly sequence: number;
  readonly versionId: string;
}

export interface Position {
  /** Of the bucket that it is in, or that was the last one. */
  readonly bucketId: number;
  readonly among: 'versions' | 'uploads' | 'end';
  /** The last row that was checked; absent at the start. */
  readonly after?: { readonly key: string; readonly sequence: number };
  /** What the versions of that key so far mean for the next ones. */
  readonly state?: WalkState<LifecycleVersion>;
}

export const BEGINNING: Position = { bucketId: 0, among: 'end' };

/** As text in a response, for the next request. */
export function formatPosition(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Throws `InvalidArgument`. */
export function parsePosition(token: string): Position {
  try {
    const position = JSON.parse(Buffer.from(token, 'base64url').toString()) as Partial<Position>;
    if (isPosition(position)) return position;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new StorageError('InvalidArgument', 'preview lifecycle: "after" is not a valid position', {
    details: { ArgumentName: 'after' },
  });
}

function isPosition(value: Partial<Position>): value is Position {
  if (typeof value !== 'object' || !Number.isSafeInteger(value.bucketId)) return false;
  if (!['versions', 'uploads', 'end'].includes(value.among ?? '')) return false;
  if (value.after === undefined) return true;
  return typeof value.after.key === 'string' && Number.isSafeInteger(value.after.sequence);
}

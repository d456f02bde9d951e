/**
 * Reads one version to its end and compares it with its recorded hash. No other module decides that content is damaged.
 */

import { defined } from '../base/defined.ts';
import { errorMessage } from '../base/errors.ts';
import { isStorageError } from '../object-store/storage-error.ts';
import { MirrorError } from '../mirror/model/mirror-error.ts';
import { verified } from '../mirror/transfer/write-file.ts';
import { NO_SHA256 } from '../mirror/state/baseline-table.ts';
import type { Destination, VersionName } from '../mirror/objects/destination.ts';

export interface ExpectedVersion extends VersionName {
  /** The expected ETag. Absent if the version ID alone identifies the content. */
  readonly etag?: string;
  /**
   * The expected SHA-256 in lower-case hex. If absent, the content is only compared with the hash in the object's
   * metadata.
   */
  readonly sha256?: string;
}

/** The result of reading a version. `unread` means that the object no longer exists or was replaced. */
export type Finding =
  | { readonly is: 'sound' }
  | { readonly is: 'unread' }
  | { readonly is: 'damaged'; readonly reason: string };

/** Reads a version to its end. Rejects with store errors that do not indicate damage, such as a lost connection. */
export async function readAgain(
  destination: Destination,
  { etag, sha256, ...version }: ExpectedVersion,
  { signal, onBytes }: ReadAgainOptions,
): Promise<Finding> {
  // The baseline row has no expected content while the file is being uploaded again.
  if (sha256 === NO_SHA256) return { is: 'unread' };
  const object = objectOf(destination, version);
  const conditions = etag === undefined ? {} : { conditions: { ifMatch: [etag] } };
  try {
    const content = await destination.store.getObject({ ...object, ...conditions }, { signal });
    for await (const _ of verified(content, sha256, onBytes)) signal.throwIfAborted();
    return { is: 'sound' };
  } catch (error) {
    const reason = damageIn(error);
    if (reason !== undefined) {
      // Some services return the same error for damaged content and for a version that does not exist.
      const exists = await versionExists(destination, version, etag, signal);
      return exists ? { is: 'damaged', reason } : { is: 'unread' };
    }
    if (isStorageError(error, 'NoSuchKey', 'NoSuchVersion', 'PreconditionFailed'))
      return { is: 'unread' };
    throw error;
  }
}

interface ReadAgainOptions {
  readonly signal: AbortSignal;
  readonly onBytes?: ((count: number) => void) | undefined;
}

/** Returns the reason if a failed read is evidence of damaged content. Returns undefined for other errors. */
export function damageIn(error: unknown): string | undefined {
  const isDamage =
    (error instanceof MirrorError && error.code === 'ContentDiffers') ||
    isStorageError(error, 'InternalError');
  return isDamage ? errorMessage(error) : undefined;
}

async function versionExists(
  destination: Destination,
  version: VersionName,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { info } = await destination.store.headObject(objectOf(destination, version), { signal });
    return etag === undefined || info.etag === etag;
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey', 'NoSuchVersion')) return false;
    throw error;
  }
}

function objectOf({ bucket, prefix }: Destination, { key, versionId }: VersionName) {
  return { bucket, key: prefix + key, ...defined({ versionId: versionId || undefined }) };
}

/** Reads an uploaded version back and compares it with the sent content, if the job's setting `verifyUploads` is on. */

import { createHash } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import type { JournalRow } from '../state/journal-table.ts';
import type { Destination, VersionName } from '../objects/destination.ts';

/**
 * Returns whether the stored content is the content that was sent; true if the job does not verify uploads. Rejects
 * with the store's errors.
 */
export async function hasSentContent(
  { key, sha256 }: Pick<JournalRow, 'key' | 'sha256'>,
  { etag, versionId }: Omit<VersionName, 'key'> & { readonly etag: string },
  { store, bucket, prefix, verifiesUploads = false }: Destination,
  signal: AbortSignal,
): Promise<boolean> {
  if (!verifiesUploads || sha256 === undefined) return true;
  const object = { bucket, key: prefix + key, ...defined({ versionId }) };
  const conditions = { ifMatch: [etag] };
  const { body, info } = await store.getObject({ ...object, conditions }, { signal });
  const digest = createHash('sha256');
  for await (const chunk of body) digest.update(chunk);
  if (info.etag !== etag)
    throw new StorageError(
      'PreconditionFailed',
      `cannot read back ${key}: the object was replaced`,
    );
  return digest.digest('hex') === sha256;
}

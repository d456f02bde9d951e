/** One file's bytes into one new version: a put, or above 16 MiB an upload in parts. */

import { defined } from '../../base/defined.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { AclRequest } from '../../object-store/access.ts';
import type {
  LockRequest,
  ObjectAttributes,
  PutObjectResult,
} from '../../object-store/object-store.ts';
import {
  type Part,
  PARTS_FROM_BYTES,
  partSizeBytes,
  putInParts,
} from '../../object-store/put-in-parts.ts';
import type { Tag } from '../../object-store/tags.ts';
import type { Guard } from '../plan/action.ts';
import type { FileContent } from '../local/file-content.ts';
import type { Place } from '../target.ts';

export interface Upload {
  /** Below the prefix. */
  readonly key: string;
  readonly content: FileContent;
  readonly attributes: ObjectAttributes;
  readonly tags?: readonly Tag[];
  readonly acl?: AclRequest;
  readonly guard: Guard;
  readonly lock?: LockRequest;
  /** Told before the first part is sent, so that a crash leaves no upload that nobody knows. */
  readonly onUploadId: (uploadId: string) => void;
  /** An upload that was begun for this content. */
  readonly goOnWith?: string;
  readonly logger: Logger;
}

/** Whether a file of this size is sent in parts. */
export function isInParts({ sizeBytes }: Pick<FileContent, 'sizeBytes'>): boolean {
  return sizeBytes > PARTS_FROM_BYTES;
}

/** Rejects as the store does, or with FileChangedError; an upload that failed is aborted. */
export async function upload(
  { store, bucket, prefix, checkRoom }: Place,
  { key, content, guard: conditions, onUploadId, goOnWith, logger, ...settings }: Upload,
  signal: AbortSignal,
): Promise<PutObjectResult> {
  checkRoom?.(content.sizeBytes);
  const target = { bucket, key: prefix + key, conditions, ...settings };
  if (!isInParts(content)) {
    return store.putObject({ ...target, body: content }, { signal });
  }
  return putInParts(
    store,
    { ...target, parts: () => slices(content) },
    {
      signal,
      onUpload: ({ uploadId }) => onUploadId(uploadId),
      onLeftover: (_, error) =>
        logger.warn({ key, error: errorMessage(error) }, 'abort upload: failed, parts may stay'),
      // The journal row still has the upload's id, and the next start goes on with it, or drops it.
      leaveWhenAborted: true,
      ...defined({ goOnWith }),
    },
  );
}

/** Opened anew for each part, by whoever sends it. */
async function* slices(content: FileContent): AsyncGenerator<Part, undefined> {
  const { sizeBytes } = content;
  const partBytes = partSizeBytes(sizeBytes);
  for (let first = 0; first < sizeBytes; first += partBytes) {
    yield { body: content.slice(first, Math.min(first + partBytes, sizeBytes)) };
  }
  return undefined;
}

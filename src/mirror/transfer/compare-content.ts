/**
 * Compares another client's object with the local file of the same name. The SHA-256 in the object's metadata is not
 * trusted. If the ETag is an MD5, it is compared; otherwise the object is read, up to a size limit.
 */

import { createHash } from 'node:crypto';

import { defined } from '../../base/defined.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { unchanged } from '../model/compare.ts';
import { digestOf, type FileContent } from '../local/file-content.ts';
import type { FoundHead } from '../plan/plan-types.ts';
import { COPY_ATTEMPTS, type FailureKind, failureKind } from '../model/failure-kind.ts';
import type { PerformContext, Work } from './step-types.ts';
import type { ReadFile } from '../local/read-file.ts';

/**
 * Maximum size in bytes of an object that is read for the comparison. Larger objects are compared only by ETag, because
 * the first round in a bucket with a copy of the folder could otherwise download everything. Most clients upload
 * smaller objects in a single part, and most services use their MD5 as the ETag.
 */
export const COMPARED_BYTES = 8 * 1024 * 1024;

/**
 * Failures that end the attempt, or after which the current version must be read again. After any other failure, the
 * content counts as unknown, and the planner treats the key as a conflict.
 */
const ENDS_COMPARISON: ReadonlySet<FailureKind> = new Set([
  'aborted',
  'guard',
  'service',
  'unknown',
]);

type Sides = { readonly head: FoundHead; readonly file: ReadFile };

/**
 * Returns the current version with its content's SHA-256, if that can be determined. Rejects with the store's errors.
 */
export async function compareContent(
  { action: { key }, attempts }: Work,
  { head, file }: Sides,
  context: PerformContext,
): Promise<FoundHead> {
  const { sha256, body, entry } = file;
  if (body.sizeBytes !== head.sizeBytes) return head;
  const held = context.state.held.get(key);
  const isKnown = held?.head?.etag === head.etag && held.head.versionId === head.versionId;
  if (isKnown && unchanged(held.entry, entry)) return compared(head, held.head?.sha256);
  const isSame = context.destination.provenance.isContent(head, await md5Of(body));
  if (isSame !== undefined) return compared(head, isSame ? sha256 : undefined);
  const isRead = head.sizeBytes <= COMPARED_BYTES;
  return compared(head, isRead ? await readSha256({ key, attempts }, head, context) : undefined);
}

/** Replaces the SHA-256 from the object's metadata with the one from the comparison. */
function compared(head: FoundHead, sha256: string | undefined): FoundHead {
  const { sha256: _, ...others } = head;
  return { ...others, isCompared: true, ...defined({ sha256 }) };
}

async function md5Of(body: FileContent): Promise<string> {
  const digest = createHash('md5');
  for await (const chunk of body.open()) digest.update(chunk);
  return digest.digest('hex');
}

/** Downloads an object and returns its SHA-256; undefined if the object cannot be read. */
async function readSha256(
  { key, attempts }: { readonly key: string; readonly attempts: number },
  { etag, sizeBytes }: FoundHead,
  { destination, signal }: PerformContext,
): Promise<string | undefined> {
  const object = { bucket: destination.bucket, key: destination.prefix + key };
  const request = { ...object, conditions: { ifMatch: [etag] } };
  try {
    const { body, info } = await destination.store.getObject(request, { signal });
    const found = await digestOf(body, signal);
    if (info.etag !== etag)
      throw new StorageError(
        'PreconditionFailed',
        `cannot compare ${key}: the object was replaced`,
      );
    return found.sizeBytes === sizeBytes ? found.sha256 : undefined;
  } catch (error) {
    const kind = failureKind(error);
    const mayPass = kind === 'transient' && attempts < COPY_ATTEMPTS;
    if (mayPass || ENDS_COMPARISON.has(kind)) throw error;
    return undefined;
  }
}

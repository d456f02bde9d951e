/** One file's bytes into one new version: a put, or above 16 MiB an upload in parts. */

import PQueue from 'p-queue';

import { defined } from '../base/defined.ts';
import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type {
  CompletedPart,
  LockRequest,
  ObjectAttributes,
  PutObjectResult,
  UploadRef,
} from '../object-store/object-store.ts';
import type { Guard } from './action.ts';
import type { FileContent } from './file-content.ts';
import type { Place } from './target.ts';

export interface Upload {
  /** Below the prefix. */
  readonly key: string;
  readonly content: FileContent;
  readonly attributes: ObjectAttributes;
  readonly guard: Guard;
  readonly lock?: LockRequest;
  /** Told before the first part is sent, so that a crash leaves no upload that nobody knows. */
  readonly onUploadId: (uploadId: string) => void;
  readonly logger: Logger;
}

/** Above this, parts: a lost connection costs one part, not the file. */
export const MULTIPART_FROM_BYTES = 16 * 1024 * 1024;
/** What a client holds of a part in memory to hash it before it is sent. */
const PART_BYTES = 8 * 1024 * 1024;
/** The protocol's limit (specification, "Multipart upload"). */
const PARTS_LIMIT = 10_000;
const PARTS_AT_ONCE = 4;
/** Over all jobs of the process: 8 parts are 64 MiB while parts have their usual size. */
const partBudget = new PQueue({ concurrency: 8 });

/** Rejects as the store does, or with FileChangedError; an upload that failed is aborted. */
export async function upload(
  place: Place,
  what: Upload,
  signal: AbortSignal,
): Promise<PutObjectResult> {
  if (what.content.sizeBytes > MULTIPART_FROM_BYTES) return uploadInParts(place, what, signal);
  const { attributes, lock, content: body, guard: conditions } = what;
  const target = { bucket: place.bucket, key: place.prefix + what.key };
  return place.store.putObject(
    { ...target, body, attributes, conditions, ...defined({ lock }) },
    { signal },
  );
}

async function uploadInParts(
  place: Place,
  what: Upload,
  signal: AbortSignal,
): Promise<PutObjectResult> {
  const { store, bucket, prefix } = place;
  const { attributes, lock, guard: conditions } = what;
  const target = { bucket, key: prefix + what.key };
  const { uploadId } = await store.createUpload(
    { ...target, attributes, ...defined({ lock }) },
    { signal },
  );
  const ref = { ...target, uploadId };
  what.onUploadId(uploadId);
  try {
    const parts = await sendParts(place, ref, what.content, signal);
    return await store.completeUpload({ ...ref, parts, conditions }, { signal });
  } catch (error) {
    // After an abort the journal row still has the upload's id, and the next start drops it.
    if (!signal.aborted) await dropUpload(place, ref, what.logger);
    throw error;
  }
}

async function dropUpload({ store }: Place, ref: UploadRef, logger: Logger): Promise<void> {
  try {
    await store.abortUpload(ref);
  } catch (error) {
    logger.warn(
      { key: ref.key, error: errorMessage(error) },
      'abort upload: failed, parts may stay',
    );
  }
}

async function sendParts(
  { store }: Place,
  ref: UploadRef,
  content: FileContent,
  outer: AbortSignal,
): Promise<readonly CompletedPart[]> {
  const failed = new AbortController();
  const signal = AbortSignal.any([outer, failed.signal]);
  const lane = new PQueue({ concurrency: PARTS_AT_ONCE });
  const send = async (partNumber: number, first: number): Promise<CompletedPart> => {
    const body = content.slice(first, Math.min(first + partBytes, content.sizeBytes));
    const { etag } = await store.uploadPart({ ...ref, partNumber, body }, { signal });
    return { partNumber, etag };
  };
  const partBytes = partSizeBytes(content.sizeBytes);
  const sending: Promise<CompletedPart>[] = [];
  for (let first = 0; first < content.sizeBytes; first += partBytes) {
    const partNumber = sending.length + 1;
    sending.push(
      lane.add(() => partBudget.add(() => send(partNumber, first), { signal }), { signal }),
    );
  }
  try {
    return await Promise.all(sending);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(sending);
    throw error;
  }
}

/** 8 MiB, grown in whole MiB until 10,000 parts are enough. */
export function partSizeBytes(sizeBytes: number): number {
  const least = Math.ceil(sizeBytes / PARTS_LIMIT);
  const mib = 1024 * 1024;
  return Math.max(PART_BYTES, Math.ceil(least / mib) * mib);
}

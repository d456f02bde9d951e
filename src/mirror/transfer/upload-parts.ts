/** Uploads a large file, by default of more than 16 MiB, as a multipart upload that can be resumed. */

import { errorMessage } from '../../base/errors.ts';
import type { PutObjectRequest, PutObjectResult } from '../../object-store/object-store.ts';
import {
  type Part,
  type MultipartPutOptions,
  DEFAULT_PART_SIZES,
  partSizeBytes,
  putMultipart,
} from '../../object-store/multipart-put.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { TransportError } from '../../object-store/transport-error.ts';
import type { FileContent } from '../local/file-content.ts';
import type { Destination } from '../objects/destination.ts';
import type { BegunUpload } from '../state/uploads-table.ts';
import type { LocalEntry } from '../model/types.ts';
import { failureKind, type FailureKind } from '../model/failure-kind.ts';
import type { PerformContext } from './step-types.ts';

export interface PartedUpload {
  /** Key of the object, relative to the prefix. */
  readonly key: string;
  /** Journal id, which is also stored in the object's metadata. */
  readonly journalId: string;
  readonly begunAt: number;
  /** Upload time in milliseconds since 1970, which is also stored in the object's metadata. */
  readonly uploadedAt: number;
  /** The file's state when it was read. */
  readonly entry: LocalEntry;
  readonly content: FileContent;
  /** An interrupted upload of the same content with the same journal id; undefined for a new upload. */
  readonly resumes: BegunUpload | undefined;
}

type UploadContext = Pick<PerformContext, 'destination' | 'state' | 'clock' | 'logger' | 'signal'>;

/** Returns whether a file of this size needs a multipart upload. */
export function isInParts(
  { sizeBytes }: Pick<FileContent, 'sizeBytes'>,
  { partSizes = DEFAULT_PART_SIZES }: Pick<Destination, 'partSizes'>,
): boolean {
  return sizeBytes > partSizes.multipartFromBytes;
}

/**
 * Uploads a file in parts as the object in `request`. Rejects with the store's errors or FileChangedError. After a
 * failure that may be temporary, the upload stays open for a retry. After other failures, it is aborted.
 */
export async function uploadInParts(
  request: Omit<PutObjectRequest, 'body'>,
  { key, journalId, begunAt, uploadedAt, entry, content, resumes }: PartedUpload,
  context: UploadContext,
): Promise<PutObjectResult> {
  const { destination, state } = context;
  const { uploads } = state;
  const { sha256 } = content;
  if (!resumes) uploads.begin({ key, journalId, sha256, entry, begunAt, uploadedAt });
  const put = { ...request, parts: () => slices(content, destination) };
  const options = optionsOf({ key, journalId, resumes }, context);
  try {
    const made = await putMultipart(destination.store, put, options);
    uploads.end(journalId);
    return made;
  } catch (error) {
    if (!uploads.isCreated(journalId) && !mayBeCreated(error)) uploads.end(journalId);
    throw error;
  }
}

function optionsOf(
  { key, journalId, resumes }: Pick<PartedUpload, 'journalId' | 'key' | 'resumes'>,
  { state: { uploads }, clock, logger, signal }: UploadContext,
): MultipartPutOptions {
  return {
    signal,
    onUpload: ({ uploadId }) => uploads.created(journalId, uploadId),
    onPart: ({ partNumber, etag }) =>
      uploads.acknowledged(journalId, { partNumber, etag, at: clock.now() }),
    isKeptAfter: (error) => signal.aborted || mayResumeAfter(error),
    onAborted: () => uploads.end(journalId),
    onLeftover: (_, error) => {
      uploads.giveUp(journalId);
      logger.warn({ key, error: errorMessage(error) }, 'abort upload: failed, retrying later');
    },
    ...(resumes && { resumes: { ...resumes, etags: uploads.etagsOf(journalId) } }),
  };
}

/** Failures after which a multipart upload is not resumed. */
const ENDS_UPLOAD: ReadonlySet<FailureKind> = new Set(['file changed', 'guard', 'refused']);
/** Error codes after which an upload is aborted, because it no longer exists or uses space that other files need. */
const ENDS_UPLOAD_BY = ['InsufficientStorage', 'NoSuchUpload', 'QuotaExceeded'] as const;

function mayResumeAfter(error: unknown): boolean {
  return !isStorageError(error, ...ENDS_UPLOAD_BY) && !ENDS_UPLOAD.has(failureKind(error));
}

/** Returns whether the service may have created the upload although the request failed. */
function mayBeCreated(error: unknown): boolean {
  if (error instanceof TransportError) return error.sent;
  return !isStorageError(error) || isStorageError(error, 'InternalError', 'ServiceUnavailable');
}

/** Yields a file's parts. Each part opens its own slice of the file when it is sent. */
async function* slices(
  content: FileContent,
  { partSizes = DEFAULT_PART_SIZES }: Pick<Destination, 'partSizes'>,
): AsyncGenerator<Part, undefined> {
  const { sizeBytes } = content;
  const partBytes = partSizeBytes(sizeBytes, partSizes.partBytes);
  for (let first = 0; first < sizeBytes; first += partBytes) {
    yield { body: content.slice(first, Math.min(first + partBytes, sizeBytes)) };
  }
  return undefined;
}

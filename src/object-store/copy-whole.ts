/** Copies an object of any size within the service. The object's bytes do not pass through this process. */

import { eachAtOnce } from '../base/at-once.ts';
import { defined } from '../base/defined.ts';
import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { PartCopier } from './copy-part.ts';
import type { CustomerKey } from './customer-key.ts';
import type { CompletedPart, MultipartWriter, UploadRef } from './multipart.ts';
import type {
  CallOptions,
  CopyObjectRequest,
  ObjectAttributes,
  ObjectInfo,
  ObjectReader,
  ObjectWriter,
  PutObjectResult,
} from './object-store.ts';
import { MAX_PARTS } from './rules/multipart.ts';
import type { TagKeeper } from './tags.ts';

/** The size of the largest object that services copy with one request, in bytes (semantics B.17). */
export const MAX_ONE_COPY_BYTES = 5 * 1024 ** 3;
/**
 * The size of a copied part. It can be large, because the bytes do not pass through this process. 10,000 such parts are
 * 5 TiB.
 */
const COPIED_PART_BYTES = 512 * 1024 ** 2;
const PARTS_AT_ONCE = 4;

export type CopyingStore = MultipartWriter &
  ObjectReader &
  ObjectWriter &
  PartCopier &
  Pick<TagKeeper, 'getObjectTags' | 'putObjectTags'>;

export type WholeCopyRequest = Pick<
  CopyObjectRequest,
  'acl' | 'attributes' | 'bucket' | 'conditions' | 'key' | 'lock' | 'source' | 'tags'
>;

/** The attributes, ETag, size and version ID of the source. */
export type CopiedInfo = ObjectAttributes & Pick<ObjectInfo, 'etag' | 'sizeBytes' | 'versionId'>;

/** Records the multipart upload of a copy, so that the upload can be aborted after a crash. */
export interface UploadLog {
  /** Called before the multipart upload is created. */
  begin(): void;
  created(uploadId: string): void;
  /** Called after the multipart upload was completed or aborted. */
  ended(): void;
}

export interface CopiedBytes {
  readonly bytes: number;
  readonly totalBytes: number;
}

export interface WholeCopyOptions extends CallOptions {
  readonly logger: Logger;
  /** The size of the largest object to copy with one request. A larger object is copied as a multipart upload. */
  readonly maxOneCopyBytes?: number;
  readonly copiedPartBytes?: number;
  readonly uploadLog?: UploadLog;
  /** Called during a copy as a multipart upload: before the first part and after each part. */
  readonly onCopied?: (progress: CopiedBytes) => void;
  /** The customer key of both the source and the copy. */
  readonly customerKey?: CustomerKey | undefined;
}

/**
 * Copies the object that `info` describes, and returns the result. Rejects with `PreconditionFailed` if the source was
 * replaced. `attributes` and `tags` have the same effect as in `copyObject`.
 */
export async function copyWhole(
  store: CopyingStore,
  request: WholeCopyRequest,
  info: CopiedInfo,
  options: WholeCopyOptions,
): Promise<PutObjectResult> {
  const { maxOneCopyBytes = MAX_ONE_COPY_BYTES, customerKey, signal } = options;
  const source = defined({ ...request.source, versionId: info.versionId });
  const sourceConditions = { ifMatch: [info.etag] };
  if (info.sizeBytes > maxOneCopyBytes) {
    return copyMultipart(store, { ...request, source }, info, options);
  }
  // Some services copy all attributes of the source except this one.
  const { websiteRedirect } = request.attributes === undefined ? info : {};
  const keys = { sourceCustomerKey: customerKey, customerKey };
  const copy = { ...request, ...keys, source, sourceConditions, websiteRedirect };
  return store.copyObject(defined(copy), defined({ signal }));
}

async function copyMultipart(
  store: CopyingStore,
  { source, conditions, ...target }: WholeCopyRequest,
  info: CopiedInfo,
  options: WholeCopyOptions,
): Promise<PutObjectResult> {
  const { signal, customerKey, copiedPartBytes = COPIED_PART_BYTES } = options;
  const { uploadLog, onCopied } = options;
  const call = defined({ signal });
  const { tags = (await store.getObjectTags(source, call)).tags, attributes } = target;
  const stated = attributes ?? statedAttributes(info);
  const described = defined({ ...target, tags, attributes: stated, customerKey });
  uploadLog?.begin();
  const { uploadId } = await store.createUpload(described, call);
  uploadLog?.created(uploadId);
  const ref = { bucket: target.bucket, key: target.key, uploadId };
  try {
    const parts: CompletedPart[] = [];
    const sourceConditions = { ifMatch: [info.etag] };
    const { sizeBytes: totalBytes } = info;
    const ranges = partRanges(totalBytes, copiedPartBytes);
    let bytes = 0;
    onCopied?.({ bytes, totalBytes });
    await eachAtOnce(ranges, PARTS_AT_ONCE, async ({ partNumber, range }) => {
      const keys = { sourceCustomerKey: customerKey, customerKey };
      const part = { ...ref, ...keys, partNumber, source, range, sourceConditions };
      const { etag } = await store.copyPart(defined(part), call);
      parts.push({ partNumber, etag });
      bytes += range.last - range.first + 1;
      onCopied?.({ bytes, totalBytes });
    });
    parts.sort((one, other) => one.partNumber - other.partNumber);
    const made = await store.completeUpload(defined({ ...ref, parts, conditions }), call);
    uploadLog?.ended();
    return made;
  } catch (error) {
    await drop(store, ref, options);
    throw error;
  }
}

function* partRanges(sizeBytes: number, leastBytes: number) {
  const partBytes = Math.max(leastBytes, Math.ceil(sizeBytes / MAX_PARTS));
  for (let partNumber = 1, first = 0; first < sizeBytes; partNumber += 1, first += partBytes) {
    yield { partNumber, range: { first, last: Math.min(first + partBytes, sizeBytes) - 1 } };
  }
}

async function drop(
  store: MultipartWriter,
  ref: UploadRef,
  { logger, uploadLog }: WholeCopyOptions,
): Promise<void> {
  try {
    await store.abortUpload(ref);
    uploadLog?.ended();
  } catch (error) {
    logger.warn(
      { ...ref, error: errorMessage(error) },
      'abort upload: failed, its parts may remain',
    );
  }
}

/** Returns the attributes that the client set on the object. */
export function statedAttributes(info: ObjectAttributes): ObjectAttributes {
  const { contentType, contentEncoding, contentDisposition, contentLanguage } = info;
  const { cacheControl, expires, websiteRedirect, metadata } = info;
  return defined({
    contentType,
    contentEncoding,
    contentDisposition,
    contentLanguage,
    cacheControl,
    expires,
    websiteRedirect,
    metadata,
  });
}

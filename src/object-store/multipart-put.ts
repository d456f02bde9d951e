/**
 * Puts an object as a multipart upload and sends several parts at the same time. At the end of every call, there is
 * either a new version, an aborted upload, or an upload that can be resumed.
 */

import { defined } from '../base/defined.ts';
import type { Body } from './body.ts';
import { PART_BYTES } from './body-memory.ts';
import type {
  CompletedPart,
  CreateUploadRequest,
  ListedPart,
  MultipartWriter,
  UploadPartRequest,
  UploadRef,
} from './multipart.ts';
import { hashing, runningChecksum } from './checksums/running-checksum.ts';
import type { CallOptions, PutObjectResult, WriteConditions } from './object-store.ts';
import { isStorageError } from './storage-error.ts';
import { MAX_PARTS } from './rules/multipart.ts';

/**
 * The minimum size of a body that is sent as a multipart upload. After a lost connection, only the unfinished parts
 * must be sent again.
 */
export const MULTIPART_FROM_BYTES = 16 * 1024 * 1024;
const PARTS_AT_ONCE = 4;

/**
 * The minimum body size and the part size of multipart uploads. Only tests use other sizes than `DEFAULT_PART_SIZES`.
 */
export interface PartSizes {
  readonly multipartFromBytes: number;
  readonly partBytes: number;
}

export const DEFAULT_PART_SIZES: PartSizes = {
  multipartFromBytes: MULTIPART_FROM_BYTES,
  partBytes: PART_BYTES,
};

export interface Part {
  readonly body: Body;
  /** Called when the body is not needed any more: the part was sent, could not be sent, or was already stored. */
  readonly release?: () => void;
}

export interface MultipartPut extends CreateUploadRequest {
  readonly conditions?: WriteConditions;
  /**
   * Returns the parts in order. This function is called once, and its result is iterated once. The next part is
   * requested when it can be sent. The iteration must end when the signal is aborted.
   */
  readonly parts: (signal: AbortSignal) => AsyncIterable<Part>;
}

export interface MultipartPutOptions {
  readonly signal?: AbortSignal;
  /** Called if a failed upload could not be aborted, so that its parts may remain in the service. */
  readonly onLeftover: (ref: UploadRef, error: unknown) => void;
  /**
   * Returns whether an upload that failed with this error is kept, so that it can be resumed later. If absent, every
   * failed upload is aborted.
   */
  readonly isKeptAfter?: (error: unknown) => boolean;
  /** Called for a new upload before its first part is sent. */
  readonly onUpload?: (ref: UploadRef) => void;
  /** Called for each part after the service has acknowledged it. */
  readonly onPart?: (part: CompletedPart) => void;
  /** Called after a failed upload was aborted. */
  readonly onAborted?: (ref: UploadRef) => void;
  /**
   * An unfinished earlier upload of the same bytes for the same request. Parts that the service has stored are not sent
   * again.
   */
  readonly resumes?: ResumableUpload;
}

export interface ResumableUpload {
  readonly uploadId: string;
  /** The ETags of the parts that the service has acknowledged, by part number. */
  readonly etags: ReadonlyMap<number, string>;
}

/**
 * Uploads the parts, completes the upload and returns the result. Rejects with an error of the store or of `parts`, or
 * with the signal's reason. Rejects with `NoSuchUpload` if the upload to resume no longer exists.
 */
export async function putMultipart(
  store: MultipartWriter,
  { parts, conditions, ...request }: MultipartPut,
  options: MultipartPutOptions,
): Promise<PutObjectResult> {
  const { signal, onUpload, resumes } = options;
  const call = defined({ signal });
  const { bucket, key, customerKey } = request;
  const ref = {
    bucket,
    key,
    uploadId: resumes?.uploadId ?? (await begin(store, request, options)),
  };
  try {
    if (!resumes) onUpload?.(ref);
    const stored = resumes && (await storedParts(store, ref, resumes, call));
    const sender = new PartSender(store, defined({ ...ref, customerKey }), options, stored);
    const sent = await sender.send(parts);
    return await store.completeUpload({ ...ref, ...defined({ conditions }), parts: sent }, call);
  } catch (error) {
    if (options.isKeptAfter?.(error) !== true) await drop(store, ref, options);
    throw error;
  }
}

async function begin(
  store: MultipartWriter,
  request: CreateUploadRequest,
  { signal }: MultipartPutOptions,
): Promise<string> {
  return (await store.createUpload(request, defined({ signal }))).uploadId;
}

/**
 * Returns the part size for a body: `partBytes`, or the smallest larger number of MiB with which 10,000 parts suffice.
 */
export function partSizeBytes(sizeBytes: number, partBytes = PART_BYTES): number {
  const least = Math.ceil(sizeBytes / MAX_PARTS);
  const mib = 1024 * 1024;
  return Math.max(partBytes, Math.ceil(least / mib) * mib);
}

interface StoredPart extends ListedPart {
  /** Whether the service acknowledged the part with the ETag that it lists now. */
  readonly isAcknowledged: boolean;
}

/**
 * Returns the parts that the service has stored, by part number. A part whose ETag differs from the acknowledged one is
 * not returned, so that it is sent again.
 */
async function storedParts(
  store: MultipartWriter,
  ref: UploadRef,
  { etags }: ResumableUpload,
  call: CallOptions,
): Promise<ReadonlyMap<number, StoredPart>> {
  const parts = new Map<number, StoredPart>();
  let partNumberMarker: number | undefined;
  do {
    const page = await store.listParts({ ...ref, ...defined({ partNumberMarker }) }, call);
    for (const part of page.parts) {
      const etag = etags.get(part.partNumber);
      if (etag !== undefined && etag !== part.etag) continue;
      parts.set(part.partNumber, { ...part, isAcknowledged: etag !== undefined });
    }
    partNumberMarker = page.nextPartNumberMarker;
  } while (partNumberMarker !== undefined);
  return parts;
}

/** Returns whether a stored part has the bytes of `body`. Needed if the acknowledgment of the part was lost. */
async function hasBytesOf({ etag, checksum }: ListedPart, body: Body): Promise<boolean> {
  const digest = checksum ? runningChecksum(checksum.algorithm) : hashing('md5');
  for await (const bytes of body.open()) digest.update(bytes);
  const found = digest.digest();
  return checksum ? found.toString('base64') === checksum.value : found.toString('hex') === etag;
}

async function drop(
  store: MultipartWriter,
  ref: UploadRef,
  { onAborted, onLeftover }: MultipartPutOptions,
): Promise<void> {
  try {
    await store.abortUpload(ref);
  } catch (error) {
    if (!isStorageError(error, 'NoSuchUpload')) return onLeftover(ref, error);
  }
  onAborted?.(ref);
}

/** The fields that are the same in the requests for all parts. */
type PartTarget = Omit<UploadPartRequest, 'body' | 'partNumber'>;

type SenderOptions = Pick<MultipartPutOptions, 'signal' | 'isKeptAfter' | 'onPart'>;

class PartSender {
  readonly #store: MultipartWriter;
  readonly #target: PartTarget;
  readonly #options: SenderOptions;
  readonly #stored: ReadonlyMap<number, StoredPart>;
  readonly #failed = new AbortController();
  readonly #sending = new Set<Promise<void>>();
  readonly #sent: CompletedPart[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(
    store: MultipartWriter,
    target: PartTarget,
    options: SenderOptions,
    stored: ReadonlyMap<number, StoredPart> = new Map<number, StoredPart>(),
  ) {
    this.#store = store;
    this.#target = target;
    this.#options = options;
    this.#stored = stored;
  }

  /**
   * Sends the parts, and resolves with their numbers and ETags in order. When the promise settles, no request is in
   * flight.
   */
  async send(open: MultipartPut['parts']): Promise<readonly CompletedPart[]> {
    const { signal: outer } = this.#options;
    const failed = this.#failed.signal;
    const signal = outer === undefined ? failed : AbortSignal.any([outer, failed]);
    try {
      let partNumber = 0;
      for await (const part of open(signal)) {
        partNumber += 1;
        if (await this.#isStored(partNumber, part)) continue;
        this.#start(partNumber, part, signal);
        if (this.#sending.size >= PARTS_AT_ONCE) await Promise.race(this.#sending);
        signal.throwIfAborted();
        if (this.#failure) break;
      }
    } catch (error) {
      this.#fail(error);
    }
    await Promise.all(this.#sending);
    outer?.throwIfAborted();
    if (this.#failure) throw this.#failure.error;
    return this.#sent.sort((one, other) => one.partNumber - other.partNumber);
  }

  async #isStored(partNumber: number, { body, release }: Part): Promise<boolean> {
    const stored = this.#stored.get(partNumber);
    if (!stored || stored.sizeBytes !== body.sizeBytes) return false;
    if (!stored.isAcknowledged && !(await hasBytesOf(stored, body))) return false;
    this.#sent.push({ partNumber, etag: stored.etag });
    release?.();
    return true;
  }

  /** Starts to upload a part. Never throws, because `send` throws the first failure after all requests have ended. */
  #start(partNumber: number, { body, release }: Part, signal: AbortSignal): void {
    const sending = this.#store
      .uploadPart({ ...this.#target, partNumber, body }, { signal })
      .then(({ etag }) => {
        this.#sent.push({ partNumber, etag });
        this.#options.onPart?.({ partNumber, etag });
      })
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#sending.delete(sending);
        release?.();
      });
    this.#sending.add(sending);
  }

  /**
   * Records the first failure, and aborts the requests in flight. If the upload can be resumed, these requests continue
   * instead, so that their parts need not be sent again.
   */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    if (this.#options.isKeptAfter?.(error) !== true) this.#failed.abort(error);
  }
}

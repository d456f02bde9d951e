/**
 * A body as an upload in parts: some at once, each sent again by itself where the store allows, and in the end one
 * version, no trace, or an upload that can be resumed.
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

/** Above this, parts: a lost connection costs the parts in flight, not the whole. */
export const MULTIPART_FROM_BYTES = 16 * 1024 * 1024;
const PARTS_AT_ONCE = 4;

/** To be released when it was sent, or will not be. */
export interface Part {
  readonly body: Body;
  readonly release?: () => void;
}

export interface MultipartPut extends CreateUploadRequest {
  readonly conditions?: WriteConditions;
  /** Called once; in their order, each asked for when there is room to send it. Ends when the signal is aborted. */
  readonly parts: (signal: AbortSignal) => AsyncIterable<Part>;
}

export interface MultipartPutOptions {
  readonly signal?: AbortSignal;
  /** The upload that failed could not be aborted: its parts may remain. */
  readonly onLeftover: (ref: UploadRef, error: unknown) => void;
  /** Whether an upload that failed with this error is kept, to be resumed later. By default it is aborted. */
  readonly isKeptAfter?: (error: unknown) => boolean;
  /** Called for an upload of this call before its first part is sent. */
  readonly onUpload?: (ref: UploadRef) => void;
  /** Called for each part that the service acknowledged. */
  readonly onPart?: (part: CompletedPart) => void;
  /** The upload that failed was aborted. */
  readonly onAborted?: (ref: UploadRef) => void;
  /** An upload that was begun with this request for these very bytes: its stored parts are not sent again. */
  readonly resumes?: ResumableUpload;
}

export interface ResumableUpload {
  readonly uploadId: string;
  /** By part number, of the parts that the service acknowledged. */
  readonly etags: ReadonlyMap<number, string>;
}

/**
 * Rejects as the store does, with what the source of the parts throws, or with the signal's reason; with NoSuchUpload
 * where the service no longer knows the upload that was to be resumed.
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

/** 8 MiB, grown in whole MiB until 10,000 parts are enough. */
export function partSizeBytes(sizeBytes: number): number {
  const least = Math.ceil(sizeBytes / MAX_PARTS);
  const mib = 1024 * 1024;
  return Math.max(PART_BYTES, Math.ceil(least / mib) * mib);
}

interface StoredPart extends ListedPart {
  /** The service acknowledged it with this very ETag. */
  readonly isAcknowledged: boolean;
}

/** By number, without parts that differ from what the service acknowledged: those are sent again. */
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

/** Compares a part whose acknowledgement was lost with the bytes that it must have. */
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

/** What all parts have in common. */
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

  /** Resolves with all parts in their order. When it settles, nothing is being sent any more. */
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

  /** Never rejects: the first failure is thrown when all are over. */
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

  /** Where the upload is kept, the parts in flight are sent to their ends: each is one less to send again. */
  #fail(error: unknown): void {
    this.#failure ??= { error };
    if (this.#options.isKeptAfter?.(error) !== true) this.#failed.abort(error);
  }
}

/**
 * A body as an upload in parts: some at once, each sent again by itself where the store allows, and in the end one
 * version or no trace.
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
import type { PutObjectResult, WriteConditions } from './object-store.ts';
import { isStorageError } from './storage-error.ts';
import { MAX_PARTS } from './rules/multipart.ts';

/** Above this, parts: a lost connection costs one part, not the whole. */
export const PARTS_FROM_BYTES = 16 * 1024 * 1024;
const PARTS_AT_ONCE = 4;

/** To be released when it was sent, or will not be. */
export interface Part {
  readonly body: Body;
  readonly release?: () => void;
}

export interface PartedPut extends CreateUploadRequest {
  readonly conditions?: WriteConditions;
  /** Called once; in their order, each asked for when there is room to send it. Ends when the signal is aborted. */
  readonly parts: (signal: AbortSignal) => AsyncIterable<Part>;
}

export interface PartedPutOptions {
  readonly signal?: AbortSignal;
  /** Told before the first part is sent, so that a crash leaves no upload that nobody knows. */
  readonly onUpload?: (ref: UploadRef) => void;
  /** The upload that failed could not be aborted: its parts may stay. */
  readonly onLeftover: (ref: UploadRef, error: unknown) => void;
  /** Whether a failed upload is left to somebody else once the signal is aborted: there may be no time for it now. */
  readonly leaveWhenAborted?: boolean;
  /** Id of an upload that was begun with this request for these very bytes: what it has is not sent again. */
  readonly goOnWith?: string;
}

/** Rejects as the store does, with what the source of the parts throws, or with the signal's reason. */
export async function putInParts(
  store: MultipartWriter,
  { parts, conditions, ...request }: PartedPut,
  options: PartedPutOptions,
): Promise<PutObjectResult> {
  const { signal, onUpload } = options;
  const call = defined({ signal });
  const { bucket, key, customerKey } = request;
  const begun = await partsOfBefore(store, request, options);
  const uploadId = begun?.uploadId ?? (await store.createUpload(request, call)).uploadId;
  const ref = { bucket, key, uploadId };
  try {
    onUpload?.(ref);
    const sender = new PartSender(store, defined({ ...ref, customerKey }), begun?.parts);
    const sent = await sender.send(parts, signal);
    return await store.completeUpload({ ...ref, ...defined({ conditions }), parts: sent }, call);
  } catch (error) {
    const isLeft = options.leaveWhenAborted === true && signal?.aborted === true;
    if (!isLeft) await drop(store, ref, options);
    throw error;
  }
}

/** 8 MiB, grown in whole MiB until 10,000 parts are enough. */
export function partSizeBytes(sizeBytes: number): number {
  const least = Math.ceil(sizeBytes / MAX_PARTS);
  const mib = 1024 * 1024;
  return Math.max(PART_BYTES, Math.ceil(least / mib) * mib);
}

interface BegunParts {
  readonly uploadId: string;
  /** By number. */
  readonly parts: ReadonlyMap<number, ListedPart>;
}

/** Undefined for none, and where the upload is gone. */
async function partsOfBefore(
  store: MultipartWriter,
  { bucket, key }: CreateUploadRequest,
  { goOnWith: uploadId, signal }: PartedPutOptions,
): Promise<BegunParts | undefined> {
  if (uploadId === undefined) return undefined;
  const parts = new Map<number, ListedPart>();
  let partNumberMarker: number | undefined;
  try {
    do {
      const request = { bucket, key, uploadId, ...defined({ partNumberMarker }) };
      const page = await store.listParts(request, defined({ signal }));
      for (const part of page.parts) parts.set(part.partNumber, part);
      partNumberMarker = page.nextPartNumberMarker;
    } while (partNumberMarker !== undefined);
  } catch (error) {
    if (isStorageError(error, 'NoSuchUpload')) return undefined;
    throw error;
  }
  return { uploadId, parts };
}

async function drop(
  store: MultipartWriter,
  ref: UploadRef,
  { onLeftover }: PartedPutOptions,
): Promise<void> {
  try {
    await store.abortUpload(ref);
  } catch (error) {
    onLeftover(ref, error);
  }
}

/** What all parts have in common. */
type PartTarget = Omit<UploadPartRequest, 'body' | 'partNumber'>;

class PartSender {
  readonly #store: MultipartWriter;
  readonly #target: PartTarget;
  readonly #failed = new AbortController();
  readonly #sending = new Set<Promise<void>>();
  readonly #sent: CompletedPart[] = [];
  readonly #before: BegunParts['parts'];

  constructor(
    store: MultipartWriter,
    target: PartTarget,
    before: BegunParts['parts'] = new Map<number, ListedPart>(),
  ) {
    this.#store = store;
    this.#target = target;
    this.#before = before;
  }

  /** Resolves with all parts in their order. Whatever comes of it, nothing is being sent any more then. */
  async send(
    open: PartedPut['parts'],
    outer: AbortSignal | undefined,
  ): Promise<readonly CompletedPart[]> {
    const failed = this.#failed.signal;
    const signal = outer === undefined ? failed : AbortSignal.any([outer, failed]);
    try {
      let partNumber = 0;
      for await (const part of open(signal)) {
        partNumber += 1;
        if (this.#isThere(partNumber, part)) continue;
        this.#start(partNumber, part, signal);
        if (this.#sending.size >= PARTS_AT_ONCE) await Promise.race(this.#sending);
        signal.throwIfAborted();
      }
    } catch (error) {
      this.#failed.abort(error);
    }
    await Promise.all(this.#sending);
    signal.throwIfAborted();
    return this.#sent.sort((one, other) => one.partNumber - other.partNumber);
  }

  #isThere(partNumber: number, { body, release }: Part): boolean {
    const there = this.#before.get(partNumber);
    if (!there || there.sizeBytes !== body.sizeBytes) return false;
    this.#sent.push({ partNumber, etag: there.etag });
    release?.();
    return true;
  }

  /** Never rejects: the first failure aborts the others, and is thrown when all are over. */
  #start(partNumber: number, { body, release }: Part, signal: AbortSignal): void {
    const sending = this.#store
      .uploadPart({ ...this.#target, partNumber, body }, { signal })
      .then(
        ({ etag }) => void this.#sent.push({ partNumber, etag }),
        (error: unknown) => this.#failed.abort(error),
      )
      .finally(() => {
        this.#sending.delete(sending);
        release?.();
      });
    this.#sending.add(sending);
  }
}

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
  MultipartWriter,
  UploadPartRequest,
  UploadRef,
} from './multipart.ts';
import type { PutObjectResult, WriteConditions } from './object-store.ts';
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
}

/** Rejects as the store does, with what the source of the parts throws, or with the signal's reason. */
export async function putInParts(
  store: MultipartWriter,
  { parts, conditions, ...request }: PartedPut,
  options: PartedPutOptions,
): Promise<PutObjectResult> {
  const { signal, onUpload } = options;
  const call = defined({ signal });
  const { uploadId } = await store.createUpload(request, call);
  const { bucket, key, customerKey } = request;
  const ref = { bucket, key, uploadId };
  try {
    onUpload?.(ref);
    const sender = new PartSender(store, defined({ ...ref, customerKey }));
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

  constructor(store: MultipartWriter, target: PartTarget) {
    this.#store = store;
    this.#target = target;
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

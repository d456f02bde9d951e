/** Wraps a store. Each call is forwarded to the store and counted, with its transferred bytes, in the meter of a job. */

import type { Body } from '../../src/object-store/body.ts';
import type { BulkWriter, PutObjectsRequest } from '../../src/object-store/bulk-write.ts';
import { ForwardingStore, type MirrorStore } from '../../src/object-store/mirror-store.ts';
import type {
  CompleteUploadRequest,
  UploadPartRequest,
  UploadRef,
} from '../../src/object-store/multipart.ts';
import type {
  CallOptions,
  CopyObjectRequest,
  DeleteObjectRequest,
  HeadObjectRequest,
  PutObjectRequest,
  ReadOptions,
} from '../../src/object-store/object-store.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import type { JobMeter, Moving } from './job-meter.ts';

export class MeteredStore extends ForwardingStore {
  readonly #meter: JobMeter;

  constructor(store: MirrorStore, meter: JobMeter) {
    super(store);
    this.#meter = meter;
  }

  protected override forward<T>(call: Promise<T>): Promise<T> {
    return this.#meter.operation(call);
  }

  override async putObject({ body, ...request }: PutObjectRequest, options?: CallOptions) {
    const moving = this.#meter.begin('put', request.key, body.sizeBytes);
    try {
      const counted = new CountedBody(body, moving);
      const written = await super.putObject({ ...request, body: counted.body }, options);
      counted.arrived();
      this.#meter.versionMade(request.key);
      return written;
    } finally {
      this.#meter.end(moving);
    }
  }

  /** Counts each object like a single put. The call itself counts as one operation. */
  protected override async putInBulk(
    inner: BulkWriter,
    request: PutObjectsRequest,
    options?: CallOptions,
  ) {
    const { objects } = request;
    const moving = objects.map(({ key, bytes }) => this.#meter.begin('put', key, bytes.byteLength));
    try {
      const outcomes = await super.putInBulk(inner, request, options);
      for (const [index, { key, bytes }] of objects.entries()) {
        if (isStorageError(outcomes[index])) continue;
        moving[index]?.sent(bytes.byteLength);
        this.#meter.versionMade(key);
      }
      return outcomes;
    } finally {
      for (const each of moving) this.#meter.end(each);
    }
  }

  override async uploadPart({ body, ...request }: UploadPartRequest, options?: CallOptions) {
    const { uploadId, partNumber } = request;
    // Parts are sent in order, so all parts before this daemon's first part have already been sent.
    const sentBytes = (partNumber - 1) * (body.sizeBytes ?? 0);
    const counted = new CountedBody(body, this.#meter.beginPart(request, sentBytes));
    let isOver = true;
    try {
      const written = await super.uploadPart({ ...request, body: counted.body }, options);
      counted.arrived();
      isOver = false;
      return written;
    } finally {
      if (isOver) counted.reset();
      this.#meter.endPart(uploadId, isOver);
    }
  }

  override async completeUpload(request: CompleteUploadRequest, options?: CallOptions) {
    this.#meter.beginPart(request);
    try {
      const written = await super.completeUpload(request, options);
      this.#meter.versionMade(request.key);
      return written;
    } finally {
      this.#meter.endPart(request.uploadId, true);
    }
  }

  override abortUpload(request: UploadRef, options?: CallOptions) {
    this.#meter.endUpload(request.uploadId);
    return super.abortUpload(request, options);
  }

  override async copyObject(request: CopyObjectRequest, options?: CallOptions) {
    const moving = this.#meter.begin('copy', request.key);
    try {
      const written = await super.copyObject(request, options);
      this.#meter.versionMade(request.key);
      return written;
    } finally {
      this.#meter.end(moving);
    }
  }

  override async deleteObject(request: DeleteObjectRequest, options?: CallOptions) {
    const moving = this.#meter.begin('delete', request.key);
    try {
      return await super.deleteObject(request, options);
    } finally {
      this.#meter.end(moving);
    }
  }

  override async getObject(request: HeadObjectRequest, options?: ReadOptions) {
    const content = await super.getObject(request, options);
    const { range, info, bytes } = content;
    const sizeBytes = range ? range.last - range.first + 1 : info.sizeBytes;
    const begin = () => this.#meter.begin('get', request.key, sizeBytes);
    if (bytes === undefined) return { ...content, body: fetched(content.body, this.#meter, begin) };
    const moving = begin();
    moving.sent(bytes.byteLength);
    this.#meter.end(moving);
    return content;
  }
}

/**
 * Counts the bytes of a body while its stream is read. Bytes that are read without the stream are counted when they
 * arrive at the service.
 */
class CountedBody {
  readonly body: Body;
  readonly #moving: Moving;
  readonly #sizeBytes: number;
  #sentBytes = 0;

  constructor(body: Body, moving: Moving) {
    this.#moving = moving;
    this.#sizeBytes = body.sizeBytes ?? 0;
    this.body = { ...body, open: () => this.#read(body.open()) };
  }

  arrived(): void {
    const rest = this.#sizeBytes - this.#sentBytes;
    if (rest > 0) this.#moving.sent(rest);
  }

  reset(): void {
    this.#moving.unsent(this.#sentBytes);
    this.#sentBytes = 0;
  }

  async *#read(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.reset();
    for await (const chunk of stream) {
      yield chunk;
      this.#sentBytes += chunk.byteLength;
      this.#moving.sent(chunk.byteLength);
    }
  }
}

/**
 * Counts the bytes of a downloaded body. It is not a generator, because a generator that is closed before its first
 * step does not close the inner stream.
 */
function fetched(
  body: AsyncIterable<Uint8Array>,
  meter: JobMeter,
  begin: () => Moving,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const inner = body[Symbol.asyncIterator]();
      let moving: Moving | undefined;
      const end = () => moving && meter.end(moving);
      return {
        async next() {
          moving ??= begin();
          try {
            const step = await inner.next();
            if (step.done) end();
            else moving.sent(step.value.byteLength);
            return step;
          } catch (error) {
            end();
            throw error;
          }
        },
        async return() {
          end();
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

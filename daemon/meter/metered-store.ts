/** A store that tells a meter what is asked of it, and how many bytes of it have gone. */

import { defined } from '../../src/base/defined.ts';
import type { Body } from '../../src/object-store/body.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import type { JobMeter, Moving } from './job-meter.ts';

export function meteredStore(store: ObjectStore, meter: JobMeter): ObjectStore {
  const methods: Partial<ObjectStore> = {
    putObject: async ({ body, ...request }, options) => {
      const moving = meter.begin('put', request.key, body.sizeBytes);
      try {
        const counted = new CountedBody(body, moving);
        const put = store.putObject({ ...request, body: counted.body }, options);
        const written = await meter.operation(put);
        counted.arrived();
        meter.versionMade(request.key);
        return written;
      } finally {
        meter.end(moving);
      }
    },
    uploadPart: async ({ body, ...request }, options) => {
      const { uploadId, partNumber } = request;
      // Parts go in their order: those before the first one that is seen are there.
      const moving = meter.beginPart(request, (partNumber - 1) * (body.sizeBytes ?? 0));
      const counted = new CountedBody(body, moving);
      let isOver = true;
      try {
        const part = store.uploadPart({ ...request, body: counted.body }, options);
        const written = await meter.operation(part);
        counted.arrived();
        isOver = false;
        return written;
      } finally {
        if (isOver) counted.reset();
        meter.endPart(uploadId, isOver);
      }
    },
    completeUpload: async (request, options) => {
      meter.beginPart(request);
      try {
        const written = await meter.operation(store.completeUpload(request, options));
        meter.versionMade(request.key);
        return written;
      } finally {
        meter.endPart(request.uploadId, true);
      }
    },
    abortUpload: async (request, options) => {
      meter.endUpload(request.uploadId);
      return meter.operation(store.abortUpload(request, options));
    },
    copyObject: async (request, options) => {
      const moving = meter.begin('copy', request.key);
      try {
        const written = await meter.operation(store.copyObject(request, options));
        meter.versionMade(request.key);
        return written;
      } finally {
        meter.end(moving);
      }
    },
    deleteObject: async (request, options) => {
      const moving = meter.begin('delete', request.key);
      try {
        return await meter.operation(store.deleteObject(request, options));
      } finally {
        meter.end(moving);
      }
    },
    getObject: async (request, options) => {
      const content = await meter.operation(store.getObject(request, options));
      const { range, info, bytes } = content;
      const sizeBytes = range ? range.last - range.first + 1 : info.sizeBytes;
      const begin = () => meter.begin('get', request.key, sizeBytes);
      if (bytes === undefined) return { ...content, body: fetched(content.body, meter, begin) };
      const moving = begin();
      moving.sent(bytes.byteLength);
      meter.end(moving);
      return content;
    },
  };
  return new Proxy(store, {
    get(target, name) {
      const method = name as keyof ObjectStore;
      const known = methods[method];
      if (known) return known;
      const plain: unknown = target[method];
      if (typeof plain !== 'function') return plain;
      const call = plain.bind(target) as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => meter.operation(call(...args));
    },
  });
}

/** As it is read; a body that is in memory may be taken without being read. */
class CountedBody {
  readonly body: Body;
  readonly #moving: Moving;
  readonly #sizeBytes: number;
  #sentBytes = 0;

  constructor(body: Body, moving: Moving) {
    const { sizeBytes, sha256, checksum, bytes, replayable } = body;
    this.#moving = moving;
    this.#sizeBytes = sizeBytes ?? 0;
    const open = () => this.#read(body.open());
    this.body = { ...defined({ sizeBytes, sha256, checksum, bytes }), replayable, open };
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

/** By hand: a generator that is returned before its first step would not return the stream behind it. */
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

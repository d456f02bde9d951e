/** Limits the bandwidth that a store uses for uploads and downloads. Server-side copies are not limited. */

import type { Body } from '../../object-store/body.ts';
import type { BulkWriter, PutObjectsRequest } from '../../object-store/bulk-write.ts';
import { ForwardingStore, type MirrorStore } from '../../object-store/mirror-store.ts';
import type {
  CallOptions,
  HeadObjectRequest,
  ObjectContent,
  PutObjectRequest,
  ReadOptions,
} from '../../object-store/object-store.ts';
import type { UploadPartRequest } from '../../object-store/multipart.ts';
import { BURST_BYTES, type TokenBucket } from './token-bucket.ts';

export class PacedStore extends ForwardingStore {
  readonly #bucket: TokenBucket;

  constructor(store: MirrorStore, bucket: TokenBucket) {
    super(store);
    this.#bucket = bucket;
  }

  override async putObject(request: PutObjectRequest, options?: CallOptions) {
    return super.putObject(await this.#paced(request, options), options);
  }

  /** All bodies wait for the rate limit before the first is stored, because one transaction stores all of them. */
  protected override async putInBulk(
    inner: BulkWriter,
    request: PutObjectsRequest,
    options?: CallOptions,
  ) {
    if (this.#bucket.isLimited) await takeAll(this.#bucket, sizeOf(request), options?.signal);
    return super.putInBulk(inner, request, options);
  }

  override async uploadPart(request: UploadPartRequest, options?: CallOptions) {
    return super.uploadPart(await this.#paced(request, options), options);
  }

  override async getObject(request: HeadObjectRequest, options?: ReadOptions) {
    const content = await super.getObject(request, options);
    return this.#bucket.isLimited ? pacedContent(content, this.#bucket, options?.signal) : content;
  }

  async #paced<R extends { readonly body: Body }>(request: R, options?: CallOptions): Promise<R> {
    if (!this.#bucket.isLimited) return request;
    return { ...request, body: await pacedBody(request.body, this.#bucket, options?.signal) };
  }
}

function sizeOf({ objects }: PutObjectsRequest): number {
  return objects.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}

async function takeAll(
  bucket: TokenBucket,
  sizeBytes: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let at = 0; at < sizeBytes; at += BURST_BYTES)
    await bucket.take(Math.min(BURST_BYTES, sizeBytes - at), signal);
}

/**
 * Returns a body that is sent within the bandwidth limit. A body in memory with at most BURST_BYTES waits here and is
 * then sent unchanged. Any other body is slowed down while it is read.
 */
async function pacedBody(
  body: Body,
  bucket: TokenBucket,
  signal: AbortSignal | undefined,
): Promise<Body> {
  const { bytes, read: _, ...stream } = body;
  if (bytes !== undefined && bytes.byteLength <= BURST_BYTES) {
    await bucket.take(bytes.byteLength, signal);
    return body;
  }
  return { ...stream, open: () => paced(body.open(), bucket, signal) };
}

function pacedContent(
  content: ObjectContent,
  bucket: TokenBucket,
  signal: AbortSignal | undefined,
): ObjectContent {
  const { bytes: _, ...stream } = content;
  return { ...stream, body: paced(content.body, bucket, signal) };
}

async function* paced(
  stream: AsyncIterable<Uint8Array>,
  bucket: TokenBucket,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.byteLength; at += BURST_BYTES) {
      const slice = chunk.subarray(at, at + BURST_BYTES);
      await bucket.take(slice.byteLength, signal);
      yield slice;
    }
  }
}

/** A store whose bodies pass a limit on bytes, up and down. Copies on the service move no bytes here. */

import type { Body } from '../../object-store/body.ts';
import type { CallOptions, ObjectContent, ObjectStore } from '../../object-store/object-store.ts';
import { BURST_BYTES, type TokenBucket } from './token-bucket.ts';

export function pacedStore(store: ObjectStore, bucket: TokenBucket): ObjectStore {
  const send = async <R extends { readonly body: Body }, T>(
    request: R,
    options: CallOptions | undefined,
    call: (request: R) => Promise<T>,
  ): Promise<T> => {
    if (!bucket.isLimited) return call(request);
    return call({ ...request, body: await pacedBody(request.body, bucket, options?.signal) });
  };
  const methods: Partial<ObjectStore> = {
    putObject: (request, options) =>
      send(request, options, (paced) => store.putObject(paced, options)),
    uploadPart: (request, options) =>
      send(request, options, (paced) => store.uploadPart(paced, options)),
    getObject: async (request, options) => {
      const content = await store.getObject(request, options);
      return bucket.isLimited ? pacedContent(content, bucket, options?.signal) : content;
    },
  };
  return new Proxy(store, {
    get(target, name) {
      const method = name as keyof ObjectStore;
      return methods[method] ?? (target[method] as () => unknown).bind(target);
    },
  });
}

/** A small one waits before it is sent, and is then sent as it is. */
async function pacedBody(
  body: Body,
  bucket: TokenBucket,
  signal: AbortSignal | undefined,
): Promise<Body> {
  const { bytes, ...stream } = body;
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
      const piece = chunk.subarray(at, at + BURST_BYTES);
      await bucket.take(piece.byteLength, signal);
      yield piece;
    }
  }
}

/** Implements the control methods for buckets and objects. */

import { defined } from '../../../src/base/defined.ts';
import { errorMessage } from '../../../src/base/errors.ts';
import type { Logger } from '../../../src/base/logger.ts';
import type { HeadObjectRequest, ObjectStore } from '../../../src/object-store/object-store.ts';
import { putBody, type PutBodyOptions } from '../../../src/object-store/put-body.ts';
import { isStorageError } from '../../../src/object-store/storage-error.ts';
import type { Streams } from '../../control/streams.ts';
import type { TargetHandlers } from './at-target.ts';
import { customerKeyOf } from './encryption.ts';

type StorageMethods =
  | 'buckets.list'
  | 'buckets.create'
  | 'buckets.delete'
  | 'objects.list'
  | 'versions.list'
  | 'objects.delete'
  | 'objects.get'
  | 'objects.put'
  | 'objects.put.wait';

/**
 * The maximum size of an upload in a single request to the embedded store (semantics B.17). A larger body, or a body
 * of unknown length, becomes a multipart upload.
 */
const MAX_ONE_PUT_BYTES = 5 * 1024 ** 3;

export function storageHandlers(streams: Streams, logger: Logger): TargetHandlers<StorageMethods> {
  const onLeftover: PutBodyOptions['onLeftover'] = (ref, error) =>
    logger.warn(
      { ...ref, error: errorMessage(error) },
      'abort multipart upload: failed; parts may remain',
    );
  return {
    'buckets.list': async (_, { signal, store }) => ({
      buckets: [...(await store.listBuckets({ signal }))],
    }),
    'buckets.create': async ({ bucket, versioning, objectLock }, { signal, store }) => {
      const existing = await bucketExists(store, bucket, signal);
      await store.createBucket({ bucket, objectLockEnabled: objectLock }, { signal });
      // Object Lock enables versioning implicitly.
      if (versioning && !objectLock) {
        await store.putVersioning({ bucket, versioning: 'Enabled' }, { signal });
      }
      return defined({ existing });
    },
    'buckets.delete': async ({ bucket }, { signal, store }) => {
      await store.deleteBucket({ bucket }, { signal });
      return {};
    },
    'objects.list': async (params, { signal, store }) => {
      const page = await store.listObjects(defined(params), { signal });
      return { ...page, objects: [...page.objects], commonPrefixes: [...page.commonPrefixes] };
    },
    'versions.list': async (params, { signal, store }) => {
      const page = await store.listVersions(defined(params), { signal });
      return { ...page, versions: [...page.versions], commonPrefixes: [...page.commonPrefixes] };
    },
    'objects.delete': (params, { signal, store }) =>
      store.deleteObject(defined(params), { signal }),
    'objects.get': async ({ range: asked, ...params }, { signal, store }) => {
      const request = defined({ ...params, customerKey: customerKeyOf(params.customerKey) });
      const range = asked && defined({ first: asked.start, last: asked.end });
      const content = await getPart(store, defined({ ...request, range }), signal);
      const given = content.range && { start: content.range.first, end: content.range.last };
      const stream = streams.offerDownload(content.body);
      return { stream, info: content.info, ...defined({ range: given }) };
    },
    'objects.put': async (params, { store, target }) => {
      const { sizeBytes, overwrite, attributes, ...object } = params;
      const customerKey = customerKeyOf(object.customerKey);
      const conditions = overwrite === false ? ({ ifNoneMatch: '*' } as const) : undefined;
      const described = { attributes: attributes && defined(attributes), conditions };
      // Uploads to a remote service are multipart uploads, because a failed single-request upload has to start over.
      const inOne = target ? {} : { onePutBytes: MAX_ONE_PUT_BYTES };
      const put = (bytes: AsyncIterable<Uint8Array>) => {
        const body = { ...defined({ sizeBytes }), open: () => bytes };
        const request = defined({ ...object, ...described, customerKey, body });
        return putBody(store, request, { ...inOne, onLeftover });
      };
      return { stream: streams.offerUpload(put) };
    },
    'objects.put.wait': ({ stream }) => streams.outcome(stream),
  };
}

/**
 * Returns whether the bucket exists. Returns undefined if the service does not reveal it. This check is needed
 * because creating a bucket that the caller already owns succeeds.
 */
async function bucketExists(
  store: ObjectStore,
  bucket: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  try {
    await store.headBucket({ bucket }, { signal });
    return true;
  } catch (error) {
    if (!isStorageError(error)) throw error;
    return error.code === 'NoSuchBucket' ? false : undefined;
  }
}

/**
 * Reads an object or a range of it. For an empty object, a range that starts at 0 returns the whole object, although
 * no range of an empty object is valid.
 */
async function getPart(store: ObjectStore, request: HeadObjectRequest, signal: AbortSignal) {
  try {
    return await store.getObject(request, { signal });
  } catch (error) {
    const { range, ...whole } = request;
    const isStart = range !== undefined && 'first' in range && range.first === 0;
    if (!isStart || !isStorageError(error, 'InvalidRange')) throw error;
    return store.getObject(whole, { signal });
  }
}

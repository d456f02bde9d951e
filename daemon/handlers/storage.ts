/** Control methods on buckets and objects of the embedded store. */

import { defined } from '../../src/base/defined.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import type { ControlHandlers } from '../control-server.ts';
import type { Streams } from '../streams.ts';

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

export function storageHandlers(
  store: ObjectStore,
  streams: Streams,
): Pick<ControlHandlers, StorageMethods> {
  return {
    'buckets.list': async (_, { signal }) => ({
      buckets: [...(await store.listBuckets({ signal }))],
    }),
    'buckets.create': async ({ bucket, versioning, objectLock }, { signal }) => {
      await store.createBucket({ bucket, objectLockEnabled: objectLock }, { signal });
      // Object lock turns versioning on by itself.
      if (versioning && !objectLock) {
        await store.putVersioning({ bucket, versioning: 'Enabled' }, { signal });
      }
      return {};
    },
    'buckets.delete': async ({ bucket }, { signal }) => {
      await store.deleteBucket({ bucket }, { signal });
      return {};
    },
    'objects.list': async (params, { signal }) => {
      const page = await store.listObjects(defined(params), { signal });
      return { ...page, objects: [...page.objects], commonPrefixes: [...page.commonPrefixes] };
    },
    'versions.list': async (params, { signal }) => {
      const page = await store.listVersions(defined(params), { signal });
      return { ...page, versions: [...page.versions], commonPrefixes: [...page.commonPrefixes] };
    },
    'objects.delete': (params, { signal }) => store.deleteObject(defined(params), { signal }),
    'objects.get': async (params, { signal }) => {
      const { info, body } = await store.getObject(defined(params), { signal });
      return { stream: streams.offerDownload(body), info };
    },
    'objects.put': async ({ bucket, key, sizeBytes, contentType }) => {
      const attributes = defined({ contentType });
      const put = (bytes: AsyncIterable<Uint8Array>) => {
        const body = { ...defined({ sizeBytes }), replayable: false, open: () => bytes };
        return store.putObject({ bucket, key, body, attributes });
      };
      return { stream: streams.offerUpload(put) };
    },
    'objects.put.wait': ({ stream }) => streams.outcome(stream),
  };
}

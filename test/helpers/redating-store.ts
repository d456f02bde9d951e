/**
 * Wraps an object store and imitates a service such as radosgw 16: Last-Modified of a version
 * changes when the lock, the tags or the ACL of that version change.
 */

import type { Clock } from '../../src/base/clock.ts';
import type { ObjectRef, ObjectStore } from '../../src/object-store/object-store.ts';
import { overriding } from './forgetful-store.ts';

/**
 * Returns the imitated service. HEAD returns the new date immediately, but a listing returns it only for a noncurrent
 * version. `clock` is the clock of the service.
 */
export function redatingStore(inner: ObjectStore, clock: Pick<Clock, 'now'>): ObjectStore {
  const dates = new Map<string, number>();
  const nameOf = ({ bucket, key, versionId = '' }: ObjectRef) => `${bucket}\n${versionId}\n${key}`;
  const redated = async (ref: ObjectRef) => {
    const { info } = await inner.headObject(ref);
    dates.set(nameOf({ ...ref, ...info }), clock.now());
  };
  const after =
    <R extends ObjectRef, T>(change: (request: R, options?: object) => Promise<T>) =>
    async (request: R, options?: object): Promise<T> => {
      const answer = await change(request, options);
      await redated(request);
      return answer;
    };
  return overriding(inner, {
    putRetention: after((request, options) => inner.putRetention(request, options)),
    putLegalHold: after((request, options) => inner.putLegalHold(request, options)),
    putObjectTags: after((request, options) => inner.putObjectTags(request, options)),
    deleteObjectTags: after((request, options) => inner.deleteObjectTags(request, options)),
    putObjectAcl: after((request, options) => inner.putObjectAcl(request, options)),
    headObject: async (request, options) => {
      const { info, ...head } = await inner.headObject(request, options);
      const date = dates.get(nameOf({ ...request, ...info }));
      return { ...head, info: { ...info, lastModifiedAt: date ?? info.lastModifiedAt } };
    },
    listVersions: async (request, options) => {
      const page = await inner.listVersions(request, options);
      const versions = page.versions.map((version) => {
        const date = dates.get(nameOf({ bucket: request.bucket, ...version }));
        return version.isLatest || date === undefined
          ? version
          : { ...version, lastModifiedAt: date };
      });
      return { ...page, versions };
    },
  });
}

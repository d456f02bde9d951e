/**
 * Wraps an object store and imitates a service such as radosgw 16, which silently ignores request
 * parameters that it does not know.
 */

import type { MirrorStore } from '../../src/object-store/mirror-store.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';

/**
 * Returns a store that ignores some parts of requests. It ignores the conditions of copies,
 * multipart completions and deletes, and the locks of copies and multipart uploads. It returns no
 * version id for these requests. With `forgetsRetention`, it accepts a retention but does not store
 * it.
 */
export function forgetfulStore(
  inner: ObjectStore,
  { forgetsRetention = false }: { readonly forgetsRetention?: boolean } = {},
): ObjectStore {
  return overriding(inner, {
    copyObject: async (request, options) =>
      without(
        await inner.copyObject(without(request, 'conditions', 'sourceConditions', 'lock'), options),
        'versionId',
      ),
    createUpload: (request, options) => inner.createUpload(without(request, 'lock'), options),
    completeUpload: async (request, options) =>
      without(await inner.completeUpload(without(request, 'conditions'), options), 'versionId'),
    deleteObject: (request, options) => inner.deleteObject(without(request, 'conditions'), options),
    ...(forgetsRetention && { putRetention: async () => undefined }),
  });
}

/**
 * Returns the store with some methods replaced. The result has no bulk writer, because a bulk
 * writer would bypass the replaced methods.
 */
export function overriding<S extends MirrorStore>(inner: S, methods: Partial<S>): S {
  return new Proxy(inner, {
    get(target, name) {
      if (name === 'bulkWriter') return methods.bulkWriter;
      const method = name as keyof S;
      return methods[method] ?? (target[method] as () => unknown).bind(target);
    },
  });
}

/**
 * Returns the store without its bulk writer, so that a job uploads each object with its own
 * request.
 */
export function putsAlone<S extends MirrorStore>(inner: S): S {
  return overriding(inner, {});
}

function without<T extends object, K extends keyof T>(all: T, ...names: readonly K[]): Omit<T, K> {
  const rest = { ...all };
  for (const name of names) delete rest[name];
  return rest;
}

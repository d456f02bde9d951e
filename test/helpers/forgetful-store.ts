/** A real store behind a service that passes over in silence what it does not know, as radosgw 16 does. */

import type { MirrorStore } from '../../src/object-store/mirror-store.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';

/**
 * Passed over are conditions of copies, completions and deletions, locks of copies and of uploads in parts; no version
 * id is told of what those make. `forgetsRetention`: it takes a retention, and does not keep it.
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

/** The store with some of its methods done by others. */
export function overriding<S extends MirrorStore>(inner: S, methods: Partial<S>): S {
  return new Proxy(inner, {
    get(target, name) {
      const method = name as keyof S;
      return methods[method] ?? (target[method] as () => unknown).bind(target);
    },
  });
}

function without<T extends object, K extends keyof T>(all: T, ...names: readonly K[]): Omit<T, K> {
  const rest = { ...all };
  for (const name of names) delete rest[name];
  return rest;
}

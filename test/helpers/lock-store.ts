/**
 * A fake object store that records only the retention of each key. It is fast enough for tests with
 * many objects and long periods.
 */

import type { Retention } from '../../src/object-store/object-store.ts';
import { StorageError } from '../../src/object-store/storage-error.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';

export interface LockStore {
  readonly store: ObjectStore;
  readonly retentions: ReadonlyMap<string, Retention>;
  /** Called for each retention that a job sets. */
  onSet: (key: string, before: Retention | undefined, after: Retention) => void;
  /** Makes all later retentions for this key fail with AccessDenied. */
  refuse(key: string): void;
  set(key: string, retention: Retention): void;
}

export const ETAG = 'e'.repeat(32);
export const VERSION = 'v1';

export function lockStore(now: () => number): LockStore {
  const retentions = new Map<string, Retention>();
  const refused = new Set<string>();
  const fake: LockStore = {
    retentions,
    onSet: () => undefined,
    refuse: (key) => refused.add(key),
    set: (key, retention) => retentions.set(key, retention),
    store: {
      async headObject({ key }: { readonly key: string }) {
        const retention = retentions.get(key);
        const info = { sizeBytes: 1, etag: ETAG, lastModifiedAt: 0, versionId: VERSION };
        return { info: { ...info, ...(retention && { retention }) } };
      },
      async putRetention({
        key,
        retention,
      }: {
        readonly key: string;
        readonly retention: Retention;
      }) {
        const before = retentions.get(key);
        if (refused.has(key) || isLess(retention, before, now()))
          throw new StorageError('AccessDenied', `put retention of ${key}: refused`);
        retentions.set(key, retention);
        fake.onSet(key, before, retention);
      },
      async getVersioning() {
        return 'Enabled';
      },
      async getObjectLockConfiguration() {
        return {};
      },
      async getLifecycle() {
        return [];
      },
      async serviceTime() {
        return { now: now(), isTrusted: false };
      },
    } as unknown as ObjectStore,
  };
  return fake;
}

function isLess(after: Retention, before: Retention | undefined, now: number): boolean {
  if (!before || before.retainUntil <= now) return false;
  return (
    after.retainUntil < before.retainUntil ||
    (before.mode === 'COMPLIANCE' && after.mode !== before.mode)
  );
}

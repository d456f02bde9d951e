/**
 * Tests that version pruning deletes a locked version when its lock ends and sends no request
 * earlier.
 */

import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { removeRetained, removeVersion } from '../../../src/mirror/transfer/remove-version.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import type { ObjectStore, Retention } from '../../../src/object-store/object-store.ts';
import { StorageError } from '../../../src/object-store/storage-error.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const DAY_MS = 24 * 3_600_000;
const VERSION = { key: 'f', versionId: 'v1', what: 'a copy' };
const { signal } = new AbortController();

/** Creates a store with one version that has the given retention and legal hold. */
function openOne(kept: { retention?: Retention; legalHold?: boolean; isDown?: boolean }) {
  const clock = new FakeClock();
  const state = openStateFile(join(temporaryFolder('removal'), 'state.sqlite'));
  onTestFinished(() => state.close());
  const version = { isThere: true, tries: 0 };
  const isKept = () => kept.legalHold === true || (kept.retention?.retainUntil ?? 0) > clock.now();
  const store = {
    async deleteObject() {
      version.tries++;
      if (kept.isDown) throw new StorageError('InternalError', 'down');
      if (!version.isThere) throw new StorageError('NoSuchVersion', 'none');
      if (isKept()) throw new StorageError('AccessDenied', 'locked');
      version.isThere = false;
      return { deleteMarker: false };
    },
    async headObject() {
      if (!version.isThere) throw new StorageError('NoSuchVersion', 'none');
      const { retention, legalHold } = kept;
      const info = { sizeBytes: 1, etag: 'e', lastModifiedAt: 0 };
      return {
        info: { ...info, ...(retention && { retention }), ...(legalHold && { legalHold }) },
      };
    },
  } as unknown as ObjectStore;
  const context = { destination: { store, bucket: 'b', prefix: '' }, state, clock };
  return { clock, state, version, kept, context };
}

describe('deleting an old version that may be locked', () => {
  test('version pruning deletes an unlocked version at once and succeeds if the version is already deleted', async () => {
    const { context, version, state } = openOne({});
    expect(await removeVersion(VERSION, context, signal)).toBe('removed');
    expect(await removeVersion(VERSION, context, signal)).toBe('removed');
    expect(version.isThere).toBe(false);
    expect(state.retained.totals().versions).toBe(0);
  });

  test('version pruning deletes a locked version when its lock ends and sends no delete request earlier', async () => {
    const until = new FakeClock().now() + 10 * DAY_MS;
    const retention = { mode: 'COMPLIANCE', retainUntil: until } as const;
    const { context, version, state, clock } = openOne({ retention });
    expect(await removeVersion(VERSION, context, signal)).toBe('retained');
    expect(state.retained.totals()).toEqual({ versions: 1, next: until });
    for (let day = 0; day < 9; day++) {
      clock.advance(DAY_MS);
      await removeRetained(context, signal);
      expect(await removeVersion(VERSION, context, signal)).toBe('retained');
    }
    expect(version.tries).toBe(1);
    clock.advance(DAY_MS + 1);
    await removeRetained(context, signal);
    expect(version).toEqual({ isThere: false, tries: 2 });
    expect(state.retained.totals()).toEqual({ versions: 0, next: null });
  });

  test('version pruning retries the delete of a version under a legal hold once a day until the hold is removed', async () => {
    const { context, version, clock, kept } = openOne({ legalHold: true });
    await removeVersion(VERSION, context, signal);
    for (let hour = 0; hour < 49; hour++) {
      clock.advance(3_600_000);
      await removeRetained(context, signal);
    }
    expect(version.tries).toBe(3);
    kept.legalHold = false;
    clock.advance(DAY_MS);
    await removeRetained(context, signal);
    expect(version.isThere).toBe(false);
  });

  test('version pruning retries the delete of a version one hour after a failure of the service', async () => {
    const retention = { mode: 'GOVERNANCE', retainUntil: new FakeClock().now() + DAY_MS } as const;
    const { context, version, clock, kept } = openOne({ retention });
    await removeVersion(VERSION, context, signal);
    kept.isDown = true;
    clock.advance(DAY_MS);
    await removeRetained(context, signal);
    kept.isDown = false;
    await removeRetained(context, signal);
    expect(version).toEqual({ isThere: true, tries: 2 });
    clock.advance(3_600_000);
    await removeRetained(context, signal);
    expect(version.isThere).toBe(false);
  });
});

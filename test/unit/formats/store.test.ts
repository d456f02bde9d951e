/** Tests that stores of every earlier format open with all versions and locks unchanged. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { MINUTE_MS } from '../../../src/base/durations.ts';
import { STORE_FORMAT } from '../../../src/engine/schema/schema.ts';
import { checkClosedStore } from '../../../src/engine/maintenance/closed-store.ts';
import {
  type Fixture,
  fixtureNames,
  formatOf,
  readFixture,
  setFormat,
  unpack,
} from '../../formats/fixture.ts';
import { STORE_KEY } from '../../formats/make-store.ts';
import { describeVersions, type DescribedVersion, UNFINISHED } from '../../formats/store-life.ts';
import { customerKey } from '../../helpers/customer-keys.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';
import { openTestEngine, readBytes } from '../../helpers/test-engine.ts';

type StoreFixture = Fixture<readonly DescribedVersion[]>;

function unpacked(name: string) {
  const fixture = readFixture<readonly DescribedVersion[]>(name);
  const dir = temporaryFolder('hf-format');
  unpack(fixture, dir);
  return { fixture, dir, metadata: join(dir, 'store.sqlite') };
}

/**
 * Opens the store with a clock one minute after the store was closed, so that its locks are still
 * active.
 */
function openStore(dir: string, { madeAt }: StoreFixture) {
  return openTestEngine({ dir, clock: new FakeClock(madeAt + MINUTE_MS) });
}

describe.each(fixtureNames('store'))('%s', (name) => {
  it('Holdfast reads every version of an old store with the same bytes and the same lock', async () => {
    const { fixture, dir, metadata } = unpacked(name);
    const { store, engine } = await openStore(dir, fixture);
    expect(await describeVersions(store, customerKey(STORE_KEY))).toEqual(fixture.contents);
    await engine.close();
    expect(formatOf(metadata)).toBe(STORE_FORMAT);
    const { problems, versions } = await checkClosedStore(dir, { deep: true });
    expect({ problems, versions }).toEqual({ problems: [], versions: fixture.contents.length });
  });

  it('Holdfast completes an upload in an old store and deletes exactly the versions that are not locked', async () => {
    const { fixture, dir } = unpacked(name);
    const { store } = await openStore(dir, fixture);
    const { uploads } = await store.listUploads({ bucket: UNFINISHED.bucket });
    const ref = { ...UNFINISHED, uploadId: uploads[0]?.uploadId ?? '' };
    const { parts } = await store.listParts(ref);
    await store.completeUpload({ ...ref, parts });
    expect((await readBytes(store, UNFINISHED)).toString()).toBe('one part');
    for (const { bucket, key, versionId, retention, legalHold } of fixture.contents) {
      const removed = store.deleteObject({ bucket, key, versionId }).then(
        () => 'removed',
        (error: { readonly code: string }) => error.code,
      );
      const isLocked = retention !== undefined || legalHold === true;
      expect([key, await removed]).toEqual([key, isLocked ? 'AccessDenied' : 'removed']);
    }
  });
});

describe('a store of a later format', () => {
  it('Holdfast refuses a store of a later format, names both format numbers in the error, and does not change the store', async () => {
    const { fixture, dir, metadata } = unpacked(fixtureNames('store').at(-1) ?? '');
    setFormat(metadata, STORE_FORMAT + 1);
    const before = readFileSync(metadata);
    const said = `its format ${STORE_FORMAT + 1} is newer than ${STORE_FORMAT}`;
    for (const open of [openStore(dir, fixture), checkClosedStore(dir, { deep: false })])
      await expect(open).rejects.toMatchObject({
        code: 'NewerStore',
        message: expect.stringMatching(new RegExp(`${said}.*use a newer Holdfast$`)),
      });
    expect(readFileSync(metadata).equals(before)).toBe(true);
  });
});

/**
 * Tests a race in which a job and another client write a thousand keys at the same time. The conflict log must list
 * each version of the other client that the job superseded exactly once, and nothing else.
 */

import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { EVALUATES_ALL } from '../../src/mirror/capabilities/capabilities.ts';
import { openStateFile } from '../../src/mirror/state/state-file.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import type { ListedVersion } from '../../src/object-store/listing.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { answeringStore, HONOURS_NONE } from '../helpers/answering-store.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { claimBefore, type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';

const KEYS = 1_000;
const keys = Array.from({ length: KEYS }, (_, index) => `f${String(index).padStart(4, '0')}`);

/** Another client. It writes unique content or deletes, and records its ETags and delete markers. */
class Foreigner {
  readonly etags = new Set<string>();
  readonly markers = new Set<string | undefined>();
  #writes = 0;

  async write({ store, bucket }: MirrorBench, key: string): Promise<void> {
    this.#writes++;
    if (this.#writes % 10 === 0) {
      const { versionId } = await store.deleteObject({ bucket, key });
      this.markers.add(versionId);
      return;
    }
    const content = `theirs ${this.#writes}`;
    this.etags.add(createHash('md5').update(content).digest('hex'));
    await store.putObject({ bucket, key, body: bytesBody(content) });
  }
}

/** Returns the versions of the other client that a version of the job directly superseded. */
function supersededIn(versions: readonly ListedVersion[], foreigner: Foreigner): string[] {
  const isForeign = ({ kind, etag, versionId }: ListedVersion) =>
    kind === 'version' ? foreigner.etags.has(etag) : foreigner.markers.has(versionId);
  return versions.flatMap((version, index) => {
    const above = versions[index - 1];
    if (above?.key !== version.key || isForeign(above)) return [];
    return version.kind === 'version' && isForeign(version) ? [nameOf(version)] : [];
  });
}

const nameOf = ({ key, versionId }: { readonly key: string; readonly versionId?: string }) =>
  `${key} ${versionId}`;

async function allVersions({ store, bucket }: MirrorBench): Promise<readonly ListedVersion[]> {
  const all: ListedVersion[] = [];
  let after: { readonly keyMarker?: string; readonly versionIdMarker?: string } | undefined = {};
  while (after) {
    const page = await store.listVersions({ bucket, ...after });
    all.push(...page.versions.filter(({ key }) => keys.includes(key)));
    after = page.next;
  }
  return all;
}

function ledgerOf({ home }: MirrorBench): string[] {
  const state = openStateFile(join(home, 'state', 'state.sqlite'));
  const entries = state.conflicts.page({ key: '', id: '' }, 10 * KEYS, true);
  state.close();
  return entries.map(nameOf);
}

/** Lets the other client write before every third put or delete of the job. */
function raced(inner: ObjectStore, slip: (key: string) => Promise<void>): ObjectStore {
  let turn = 0;
  const first = async (key: string) => {
    turn++;
    if (turn % 3 === 0 && keys.includes(key)) await slip(key);
  };
  return overriding(inner, {
    putObject: async (request, options) => {
      await first(request.key);
      return inner.putObject(request, options);
    },
    deleteObject: async (request, options) => {
      if (request.versionId === undefined) await first(request.key);
      return inner.deleteObject(request, options);
    },
  });
}

test.each([
  ['honours conditions', EVALUATES_ALL, false],
  ['ignores every condition', HONOURS_NONE, true],
] as const)(
  'in a race with a service that %s, the conflict log lists every superseded version exactly once',
  async (_what, declared, isRemote) => {
    const bench = await openMirrorBench();
    await claimBefore(bench);
    const foreigner = new Foreigner();
    let isRacing = false;
    const slip = async (key: string) => {
      if (isRacing) await foreigner.write(bench, key);
    };
    const write = (key: string, content: string) => writeFileSync(join(bench.root, key), content);
    for (const key of keys) write(key, `ours ${key} 0`);
    const store = answeringStore(raced(bench.store, slip), declared);
    const mirror = await bench.open({ store, isRemote });
    await mirror.settled();
    isRacing = true;
    const foreign = (async () => {
      for (let index = 0; index < KEYS; index += 10)
        await Promise.all(keys.slice(index, index + 10).map((key) => foreigner.write(bench, key)));
    })();
    for (const [index, key] of keys.entries()) {
      if (index % 20 === 0) rmSync(join(bench.root, key));
      else write(key, `ours ${key} 1`);
      if (index % 100 === 0) await new Promise(setImmediate);
    }
    await Promise.all([mirror.settled(), foreign]);
    isRacing = false;
    await mirror.runNow();
    await mirror.close();
    const superseded = supersededIn(await allVersions(bench), foreigner);
    // Counts the conflicts that the job could detect only after its write.
    const slipped = bench.activities.filter(({ message }) =>
      message.includes('changed the object while the job'),
    );
    expect(slipped.length > KEYS / 20).toBe(isRemote);
    expect(superseded.length).toBeGreaterThan(KEYS / 10);
    expect(ledgerOf(bench).sort()).toEqual(superseded.sort());
  },
);

test('a job records a conflict with a version that its delete superseded, even if another client wrote again', async () => {
  const bench = await openMirrorBench();
  writeFileSync(join(bench.root, 'f'), 'ours');
  const foreigner = new Foreigner();
  let isRacing = true;
  const store = overriding(bench.store, {
    deleteObject: async (request, options) => {
      const isRaced = isRacing && request.key === 'f';
      isRacing &&= !isRaced;
      if (isRaced) await foreigner.write(bench, 'f');
      const deleted = await bench.store.deleteObject(request, options);
      if (isRaced) await foreigner.write(bench, 'f');
      return deleted;
    },
  });
  const mirror = await bench.open({ store: answeringStore(store, HONOURS_NONE), isRemote: true });
  await mirror.settled();
  rmSync(join(bench.root, 'f'));
  await mirror.settled();
  await mirror.runNow();
  await mirror.close();
  const versions = await bench.store.listVersions({ bucket: bench.bucket, prefix: 'f' });
  expect(ledgerOf(bench)).toEqual(supersededIn(versions.versions, foreigner));
});

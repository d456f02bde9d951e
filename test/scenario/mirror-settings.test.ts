/**
 * Tests of headers, tags and ACLs of objects. The job sets them by its rules, and otherwise preserves them.
 */

import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { settingsByRules } from '../../src/mirror/objects/preserved-settings.ts';
import type { MirrorJob } from '../../src/mirror/model/types.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { StorageError } from '../../src/object-store/storage-error.ts';
import { faultyStore } from '../helpers/faulty-store.ts';
import { overriding } from '../helpers/forgetful-store.ts';
import { type MirrorBench, openMirrorBench } from '../helpers/mirror-bench.ts';

const PUBLIC = { grantee: 'AllUsers', permission: 'READ' };
const RULES: MirrorJob['attributes'] = [
  {
    match: '*.html',
    headers: { cacheControl: 'no-cache', contentType: 'text/x' },
    acl: 'public-read',
  },
  { match: '/in/', tags: [{ key: 'where', value: 'in' }], headers: { cacheControl: 'max-age=5' } },
];

async function settingsOf({ store, bucket }: MirrorBench, key: string) {
  const { info } = await store.headObject({ bucket, key });
  const { tags } = await store.getObjectTags({ bucket, key });
  const { owner, grants } = await store.getObjectAcl({ bucket, key });
  const { contentType, cacheControl } = info;
  const others = grants.filter(({ grantee }) => grantee !== owner);
  return { contentType, cacheControl, tags, others };
}

/**
 * Changes the tags and the ACL of the current version as another client. That creates no new
 * version.
 */
async function dress({ store, bucket }: MirrorBench, key: string) {
  await store.putObjectTags({ bucket, key, tags: [{ key: 't', value: '1' }] });
  await store.putObjectAcl({ bucket, key, acl: { canned: 'public-read' } });
}

const write = ({ root }: MirrorBench, name: string, content: string) =>
  writeFileSync(join(root, name), content);
const DRESSED = { tags: [{ key: 't', value: '1' }], others: [PUBLIC] };

test('a job takes each header, tag set and ACL from the last matching rule that specifies it', () => {
  const of = settingsByRules(RULES);
  expect(of('a.txt')).toEqual({ headers: {} });
  expect(of('d/a.html')).toEqual({
    headers: { cacheControl: 'no-cache', contentType: 'text/x' },
    acl: { canned: 'public-read' },
  });
  expect(of('in/a.html')).toEqual({
    headers: { cacheControl: 'max-age=5', contentType: 'text/x' },
    acl: { canned: 'public-read' },
    tags: [{ key: 'where', value: 'in' }],
  });
});

describe('headers, tags and ACLs of objects', () => {
  test('a job applies its rules for headers, tags and ACLs to every upload, including multipart uploads', async () => {
    const bench = await openMirrorBench();
    const attributes = [
      { match: 'a*', headers: { contentType: 'x/y' }, tags: DRESSED.tags, acl: 'public-read' },
    ] as const;
    write(bench, 'a', '1');
    write(bench, 'a-large', 'x'.repeat(17 * 1024 * 1024));
    write(bench, 'b.html', '1');
    const mirror = await bench.open({ attributes });
    await mirror.settled();
    const given = { contentType: 'x/y', ...DRESSED };
    expect(await settingsOf(bench, 'a')).toMatchObject(given);
    expect(await settingsOf(bench, 'a-large')).toMatchObject(given);
    expect(await settingsOf(bench, 'b.html')).toMatchObject({
      contentType: 'text/html',
      others: [],
    });
    write(bench, 'a', '22');
    await mirror.settled();
    expect(await settingsOf(bench, 'a')).toMatchObject(given);
  });

  test('a job preserves tags and ACLs when it overwrites, renames or restores an object', async () => {
    const bench = await openMirrorBench();
    const content = 'x'.repeat(100_000);
    write(bench, 'f.txt', content);
    const mirror = await bench.open({ drift: 'enforce' });
    await mirror.settled();
    await dress(bench, 'f.txt');
    appendFileSync(join(bench.root, 'f.txt'), 'more');
    await mirror.settled();
    expect(await settingsOf(bench, 'f.txt')).toMatchObject({
      contentType: 'text/plain',
      ...DRESSED,
    });
    renameSync(join(bench.root, 'f.txt'), join(bench.root, 'g.html'));
    await mirror.settled();
    expect(await settingsOf(bench, 'g.html')).toMatchObject({
      contentType: 'text/html',
      ...DRESSED,
    });
    await bench.store.deleteObject({ bucket: bench.bucket, key: 'g.html' });
    await mirror.runNow();
    expect(await settingsOf(bench, 'g.html')).toMatchObject({
      contentType: 'text/html',
      ...DRESSED,
    });
  });

  test('if a file name now implies another content type, a job corrects the type only with the next change of the file', async () => {
    const bench = await openMirrorBench();
    write(bench, 'main.ts', '1');
    const attributes = [{ match: '*.ts', headers: { contentType: 'video/mp2t' } }];
    const earlier = await bench.open({ attributes });
    await earlier.settled();
    await earlier.close();
    const mirror = await bench.open();
    await mirror.runNow();
    expect(await bench.history('main.ts')).toEqual(['put 1']);
    expect(await settingsOf(bench, 'main.ts')).toMatchObject({ contentType: 'video/mp2t' });
    appendFileSync(join(bench.root, 'main.ts'), 'more');
    await mirror.settled();
    expect((await settingsOf(bench, 'main.ts')).contentType).not.toBe('video/mp2t');
  });

  test('a job does not preserve tags and ACLs with carry: false, or if a rule sets them', async () => {
    const bench = await openMirrorBench();
    write(bench, 'a', '1');
    write(bench, 'b', '1');
    const mirror = await bench.open({ attributes: [{ match: 'a', acl: 'private' }] });
    await mirror.settled();
    for (const key of ['a', 'b']) await dress(bench, key);
    write(bench, 'a', '22');
    await mirror.settled();
    expect(await settingsOf(bench, 'a')).toMatchObject({ tags: DRESSED.tags, others: [] });
    const other = await bench.open({ carry: false });
    write(bench, 'b', '22');
    await other.settled();
    expect(await settingsOf(bench, 'b')).toMatchObject({ tags: [], others: [] });
  });

  test('a job continues without ACLs and warns if the service does not return them', async () => {
    const bench = await openMirrorBench();
    const store = overriding(bench.store, {
      getObjectAcl: async () => {
        throw new StorageError('NotImplemented', 'get object acl: not here');
      },
    });
    write(bench, 'a', '1');
    const mirror = await bench.open({ store });
    await mirror.settled();
    await dress(bench, 'a');
    write(bench, 'a', '22');
    await mirror.settled();
    expect(await settingsOf(bench, 'a')).toMatchObject({ tags: DRESSED.tags, others: [] });
    expect(mirror.status().warnings).toEqual([
      expect.stringContaining('ACLs of objects are not preserved'),
    ]);
  });

  /** Returns the read requests of the first upload and of each of three overwrites. */
  async function asked(store: (bench: MirrorBench) => ObjectStore, job: Partial<MirrorJob> = {}) {
    const bench = await openMirrorBench();
    const faulty = faultyStore(store(bench));
    let seen = 0;
    const questions = () => {
      const calls = faulty.calls.slice(seen);
      seen = faulty.calls.length;
      return calls.filter((call) => /^(?:head|get)Object\w* a$/.test(call));
    };
    write(bench, 'a', '1');
    const mirror = await bench.open({ ...job, store: faulty.store });
    await mirror.settled();
    const requested = [questions()];
    for (const content of ['22', '333', '4444']) {
      write(bench, 'a', content);
      await mirror.settled();
      requested.push(questions());
    }
    return requested;
  }
  const BOTH = ['headObject a', 'getObjectAcl a'];

  test('a job sends a HEAD and an ACL request before an overwrite, and neither for a new object', async () => {
    expect(await asked(({ store }) => store)).toEqual([[], BOTH, BOTH, BOTH]);
    expect(await asked(({ store }) => store, { carry: false })).toEqual([[], [], [], []]);
  });

  test('a job sends only a HEAD request before an overwrite once the service has rejected object ACL requests', async () => {
    const getObjectAcl = async () => {
      throw new StorageError('NotImplemented', 'get object acl: not here');
    };
    const without = ({ store }: MirrorBench) => overriding(store, { getObjectAcl });
    expect(await asked(without)).toEqual([[], BOTH, ['headObject a'], ['headObject a']]);
  });
});

/**
 * Tests of the version screen of an object: its versions, their locks, and the actions that the
 * locks allow.
 */

import { afterEach, describe, expect, test } from 'vitest';

import { lockFacts, whyNotDeleted, whyNotRetained } from '../../../tui/text/locks.ts';
import type { LockState } from '../../../tui/text/locks.ts';
import { diffRows, SIGNS } from '../../../tui/screens/diff/diff-rows.ts';
import { seededStore } from '../../helpers/tui/bucket-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { NOW, seededJob } from '../../helpers/tui/seeds.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

const DAY = 86_400_000;

/** Opens the version screen of the object with the name in `archive/2026/07/`. */
async function start(name: string, size: { columns?: number; rows?: number } = {}) {
  const store = seededStore();
  const daemon = new SeededDaemon(store.answers());
  store.daemon = daemon;
  const screen = await new TestScreen({ ...size, connect: daemon.connect }).start();
  open.push(screen);
  await screen.press(':');
  await screen.type(`bucket archive/2026/07/${name}`);
  await screen.press('enter');
  await screen.waitFor(`❯ ${name}`);
  await screen.press('v');
  await screen.waitFor('Selected version');
  await screen.tick();
  await screen.tick();
  return { daemon, screen, store };
}

const KEY = { bucket: 'archive', key: '2026/07/contract.pdf' };

test.each([
  [80, 24],
  [120, 40],
])(
  'the dashboard shows the locks of versions and the allowed actions at %i×%i',
  async (columns, rows) => {
    const { screen } = await start('contract.pdf', { columns, rows });
    const text = await screen.waitFor('C 2027-07-12');
    await expect(text).toMatchFileSnapshot(`snapshots/versions-${columns}x${rows}.txt`);
  },
);

test('the dashboard offers neither a lock nor a hold for versions in a bucket without Object Lock, and shows the reason', async () => {
  const { screen, store } = await start('contract.pdf');
  store.put('photos', 'a.txt', 'first');
  await screen.press(':');
  await screen.type('bucket photos/a.txt\r');
  await screen.waitFor('❯ a.txt');
  await screen.press('v');
  const text = await screen.waitFor(/etag .*\n[^]*R restore|etag/);
  expect(text).not.toMatch(/legal hold|allowed now|L lock|H hold/);
  await screen.press('L');
  await screen.waitFor('L is not available: the bucket was created without Object Lock');
  await screen.press('H');
  await screen.waitFor('H is not available: the bucket was created without Object Lock');
});

test('the dashboard refuses to delete a locked version and shows the reason', async () => {
  const { screen, daemon } = await start('contract.pdf');
  await screen.press('d');
  await screen.waitFor('d is not available: COMPLIANCE until 2027-07-12, and a legal hold');
  await screen.press('H');
  await screen.waitFor('contract.pdf: hold lifted');
  await screen.press('d');
  await screen.waitFor('d is not available: COMPLIANCE until 2027-07-12');
  expect(daemon.lastOf('objects.delete')).toBeUndefined();
});

test('the dashboard requires typing the name to delete a version under GOVERNANCE retention with a bypass', async () => {
  const { screen, daemon, store } = await start('contract.pdf');
  await screen.press('j d');
  expect(await screen.waitFor('Bypass GOVERNANCE')).toContain('It is locked: GOVERNANCE until');
  await screen.type('contract.pdf');
  await screen.press('enter');
  await screen.waitFor('removed the version');
  expect(daemon.lastOf('objects.delete')).toMatchObject({ bypassGovernance: true });
  expect(store.bucket('archive').keys.get(KEY.key)).toHaveLength(3);
});

test.each([
  [{}, 'the job reports that the object drifted'],
  [{ drift: 'enforce' }, 'the job uploads it again'],
])(
  'the dashboard states in the question before the current version of a mirrored file is deleted, with %o: %s',
  async (settings, said) => {
    const { screen, daemon } = await start('IMG_0001.jpg');
    const defaults = { drift: 'report' };
    daemon.replace('jobs.get', ({ name }) => ({ name, settings, defaults, options: [] }));
    daemon.emit({ type: 'job.changed', job: seededJob({ bucket: 'archive' }) });
    await screen.tick();
    await screen.press('d');
    const text = await screen.waitFor('Delete this version permanently?');
    expect(text.replaceAll(/[\s│]+/g, ' ')).toContain(said);
  },
);

test('the dashboard restores a version as a copy that becomes the current version, and undo deletes the copy', async () => {
  const { screen, daemon, store } = await start('contract.pdf');
  await screen.press('R');
  await screen.waitFor('R is not available: it is the current version');
  await screen.press('G R');
  await screen.waitFor(/restored version v\S+ of contract\.pdf/);
  expect(daemon.lastOf('objects.copy')?.to).toEqual(KEY);
  expect(store.current(KEY.bucket, KEY.key)?.body).toContain('draft 1');
  await screen.press('u');
  await screen.tick();
  expect(store.current(KEY.bucket, KEY.key)?.body).toContain('draft 4');
});

test('the dashboard asks before it restores a version of a mirrored file, and restores the local file too', async () => {
  const { screen, daemon } = await start('contract.pdf');
  daemon.emit({ type: 'job.changed', job: seededJob({ bucket: 'archive' }) });
  await screen.tick();
  const path = '/home/ada/Photos/2026/07/contract.pdf';
  const facts = { versionId: 'v2', sizeBytes: 7, lastModifiedAt: NOW - DAY, etag: 'e' };
  daemon.replace('history.planUndo', () => ({
    to: path,
    total: 1,
    undated: [],
    undatedCount: 0,
    steps: [{ path: '2026/07/contract.pdf', ...facts, isCurrent: false }],
  }));
  const never = Promise.withResolvers<never>();
  daemon.replace('history.undo', () => never.promise);
  await screen.press('G R');
  await screen.waitFor(`Undo ${path.replace('/home/ada', '~')}?`);
  await screen.press('n');
  expect(daemon.lastOf('history.undo')).toBeUndefined();
  await screen.press('R');
  await screen.waitFor(`Undo ${path.replace('/home/ada', '~')}?`);
  await screen.press('y');
  await screen.waitFor('restore ›');
  const asked = daemon.lastOf('history.undo');
  expect(asked).toMatchObject({ job: path, path, versionId: expect.any(String) as string });
  expect(daemon.lastOf('objects.copy')).toBeUndefined();
});

test('the dashboard offers no undo for a restored version if a default retention locks the copy', async () => {
  const { screen, daemon, store } = await start('contract.pdf');
  const { 'objects.describe': describe } = store.answers();
  const retention = { mode: 'GOVERNANCE' as const, retainUntil: NOW + 7 * DAY };
  daemon.replace('objects.describe', async (place) => ({ ...(await describe!(place)), retention }));
  await screen.press('G R');
  const text = await screen.waitFor(/restored version v\S+ of contract\.pdf/);
  expect(text).not.toContain('u undo');
});

const RETENTION = { mode: 'GOVERNANCE' as const, retainUntil: NOW + 7 * DAY };

/**
 * Deletes an object and restores it in a bucket whose default retention locks every new version.
 */
async function restoreDeleted() {
  const started = await start('contract.pdf');
  const { screen, daemon, store } = started;
  const {
    'objects.delete': remove,
    'objects.copy': copy,
    'objects.describe': describe,
  } = store.answers();
  await remove!(KEY);
  daemon.replace('objects.copy', async (params) => {
    const made = await copy!(params);
    store.version({ ...KEY, versionId: made.versionId ?? '' }).retention = RETENTION;
    return made;
  });
  daemon.replace('objects.describe', async (place) => {
    return { ...(await describe!(place)), retention: RETENTION };
  });
  await screen.press('r G R');
  expect(await screen.tickUntil('of contract.pdf')).toContain('u undo');
  expect(store.current(KEY.bucket, KEY.key)?.body).toContain('draft 1');
  return started;
}

test('the dashboard adds a delete marker on undo if a lock retains the restored copy of a deleted object', async () => {
  const { screen, store } = await restoreDeleted();
  const versions = store.bucket(KEY.bucket).keys.get(KEY.key)?.length ?? 0;
  await screen.press('u');
  await screen.tickUntil('undone: restored version');
  const now = store.bucket(KEY.bucket).keys.get(KEY.key) ?? [];
  expect(now).toHaveLength(versions + 1);
  expect(now[0]).toMatchObject({ isMarker: true });
});

test('the dashboard adds no delete marker on undo if a newer version was written after the copy', async () => {
  const { screen, daemon, store } = await restoreDeleted();
  store.put(KEY.bucket, KEY.key, 'newer');
  await screen.press('u');
  await screen.tickUntil('undo: contract.pdf has a newer version');
  expect(daemon.lastOf('objects.delete')).toBeUndefined();
  expect(store.current(KEY.bucket, KEY.key)?.body).toBe('newer');
});

test('the dashboard asks before a restored version overwrites the null version while versioning is suspended', async () => {
  const { screen, daemon } = await start('contract.pdf');
  daemon.replace('versioning.get', () => ({ versioning: 'Suspended' }));
  await screen.press('G R');
  await screen.waitFor('Restore over the current version?');
  await screen.press('n');
  expect(daemon.lastOf('objects.copy')).toBeUndefined();
});

test('the dashboard compares two marked versions with their metadata, the older version first', async () => {
  const { screen, store } = await start('contract.pdf');
  store.version(KEY).tags = [{ key: 'state', value: 'signed' }];
  await screen.press('=');
  await screen.waitFor('mark two versions with Space');
  await screen.press('space j j space =');
  const text = await screen.waitFor('+ contract, draft 4');
  expect(text).toContain('- contract, draft 1');
  // The heading names the versions as the list does.
  expect(text).toMatch(/- v0002…lcpX of .* \+ v0005…lcpX of /);
  expect(text).toContain('+ tag state: signed');
});

test("the dashboard compares two versions without Holdfast's own metadata, old and new values side by side", async () => {
  const stated = (entries: Record<string, string>) => new Map(Object.entries(entries));
  const side = { name: 'v', sizeBytes: 0, bytes: new Uint8Array() };
  const before = { ...side, stated: stated({ 'metadata a': '1', 'metadata b': '1', 'tag x': '' }) };
  const after = { ...side, stated: stated({ 'metadata b': '2', 'metadata a': '2' }) };
  const rows = diffRows(before, after, { whole: false, hex: false });
  expect(rows.map(({ is, text }) => SIGNS[is] + text)).toEqual([
    '-metadata a: 1',
    '+metadata a: 2',
    '-metadata b: 1',
    '+metadata b: 2',
    '-tag x: ',
    ' the content is the same',
  ]);

  const { screen, store } = await start('contract.pdf');
  const metadata = { 'holdfast-journal': '7', 'holdfast-mode': '0600', origin: 'scanner' };
  store.version(KEY).attributes = { metadata };
  await screen.press('space j j space =');
  const text = await screen.waitFor('+ metadata origin: scanner');
  expect(text).toContain('+ metadata holdfast-mode: 0600');
  expect(text).not.toContain('holdfast-journal');
});

test('the dashboard deletes marked versions after one question and omits locked ones', async () => {
  const { screen, store } = await start('contract.pdf');
  await screen.press('* d');
  const plan = await screen.waitFor(/Delete \d versions of contract\.pdf permanently/);
  expect(plan).toMatch(/\d versions? cannot be deleted: COMPLIANCE or a legal hold/);
  const before = store.bucket('archive').keys.get('2026/07/contract.pdf')?.length ?? 0;
  await screen.type('contract.pdf\r');
  await screen.waitFor(/deleted \d version/);
  const left = store.bucket('archive').keys.get('2026/07/contract.pdf') ?? [];
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan(before);
  expect(left.every(({ legalHold, retention }) => legalHold || retention)).toBe(true);
});

test('the dashboard explains a delete marker, and restores the object by deleting the marker', async () => {
  const store = seededStore();
  const daemon = new SeededDaemon(store.answers());
  const screen = await new TestScreen({ connect: daemon.connect }).start();
  open.push(screen);
  await screen.press(':');
  await screen.type('bucket archive/2026/07/');
  await screen.press('enter');
  await screen.waitFor('contract.pdf');
  await screen.press('D');
  await screen.waitFor('(deleted)');
  await screen.press('j j v');
  expect(await screen.waitFor('delete marker')).toContain('the object is deleted while');
  await screen.press('d');
  await screen.waitFor('old-index.html is restored');
  expect(store.current('archive', '2026/07/old-index.html')).toBeDefined();
});

test('the dashboard shows the names of both compared versions in full in a narrow terminal', async () => {
  const { screen } = await start('contract.pdf', { columns: 60, rows: 16 });
  await screen.press('space j =');
  const text = await screen.waitFor('draft 4');
  expect(text).toMatch(/^ - \S+ of 2026-10-22 15:00:00$/m);
  expect(text).toMatch(/^ \+ \S+ of 2026-10-22 17:00:00$/m);
  expect(text).toContain('archive › 2026/07/contract.pdf › diff');
});

describe('actions that the lock of a version allows', () => {
  const compliance: LockState = {
    retention: { mode: 'COMPLIANCE', retainUntil: NOW + 10 * DAY },
  };
  const governance: LockState = {
    retention: { mode: 'GOVERNANCE', retainUntil: NOW + 10 * DAY },
  };
  const over: LockState = { retention: { mode: 'COMPLIANCE', retainUntil: NOW } };

  test.each([
    [{}, [['allowed now', 'lock, put on hold, delete']]],
    [over, [['allowed now', 'lock, put on hold, delete']]],
    [
      { legalHold: true },
      [
        ['allowed now', 'lock, lift hold'],
        ['not allowed', 'delete'],
      ],
    ],
    [
      compliance,
      [
        ['allowed now', 'extend retention, put on hold'],
        ['not allowed', 'shorten, delete'],
      ],
    ],
    [
      governance,
      [
        ['allowed now', 'extend retention, put on hold'],
        ['with bypass', 'shorten, delete'],
      ],
    ],
    [
      { ...governance, legalHold: true },
      [
        ['allowed now', 'extend retention, lift hold'],
        ['with bypass', 'shorten'],
        ['not allowed', 'delete'],
      ],
    ],
  ])('the dashboard lists the actions that the lock %j allows and forbids', (lock, actions) => {
    expect(lockFacts(lock, NOW).slice(2)).toEqual(actions);
  });

  test.each([
    [60, 16],
    [80, 24],
  ])(
    'the dashboard shows the actions under a GOVERNANCE lock in full at %i×%i',
    async (...size) => {
      const { screen } = await start('contract.pdf', { columns: size[0], rows: size[1] });
      await screen.press('j');
      const text = await screen.waitFor('G 2026-12-10');
      expect(text).toMatch(/allowed now +extend retention, put on hold +│/);
      expect(text).toMatch(/with bypass +shorten, delete +│/);
    },
  );

  test.each([
    [{}, undefined],
    [over, undefined],
    [governance, undefined],
    [compliance, 'COMPLIANCE until 2026-12-01'],
    [{ legalHold: true }, 'it is on legal hold: press H to lift the hold first'],
    [{ ...governance, legalHold: true }, 'it is on legal hold: press H to lift the hold first'],
    [{ ...over, legalHold: true }, 'it is on legal hold: press H to lift the hold first'],
    [{ ...compliance, legalHold: true }, 'COMPLIANCE until 2026-12-01, and a legal hold'],
  ])(
    'the dashboard allows or refuses with a reason to delete a version with the lock %j',
    (lock, why) => {
      expect(whyNotDeleted(lock, NOW)).toBe(why);
    },
  );

  const days = (mode: 'GOVERNANCE' | 'COMPLIANCE', count: number) => {
    return { mode, retainUntil: NOW + count * DAY };
  };

  test.each([
    [days('GOVERNANCE', -1), {}, false, /future/],
    [days('GOVERNANCE', 40_000), {}, false, /100 years/],
    [days('COMPLIANCE', 11), compliance, false, undefined],
    [days('COMPLIANCE', 9), compliance, true, /you cannot shorten it/],
    [days('GOVERNANCE', 20), compliance, true, /you cannot change its mode/],
    [days('GOVERNANCE', 20), governance, false, undefined],
    [days('GOVERNANCE', 5), governance, false, /to shorten the lock, bypass/],
    [days('COMPLIANCE', 20), governance, false, /to change the lock, bypass/],
    [days('GOVERNANCE', 5), governance, true, undefined],
    [days('GOVERNANCE', 1), over, false, undefined],
  ])(
    'the dashboard allows or refuses to set the lock %j on a version with the lock %j, with bypass %s',
    (wanted, lock, bypass, why) => {
      const reason = whyNotRetained(wanted, { lock, now: NOW, bypass });
      if (why) expect(reason).toMatch(why);
      else expect(reason).toBeUndefined();
    },
  );
});

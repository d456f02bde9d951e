/** The versions of an object, their locks, and what these allow. */

import { afterEach, describe, expect, test } from 'vitest';

import { allowedNow, untilOf, whyNotDeleted, whyNotRetained } from '../../../tui/text/locks.ts';
import type { LockState } from '../../../tui/text/locks.ts';
import { seededStore } from '../../helpers/tui/bucket-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import { NOW, seededJob } from '../../helpers/tui/seeds.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

const DAY = 86_400_000;

/** The versions of a key of `archive/2026/07/`, the row of which is to be found by its name. */
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
])('at %i×%i the version screen shows locks and what is allowed now', async (columns, rows) => {
  const { screen } = await start('contract.pdf', { columns, rows });
  const text = await screen.waitFor('C 2027-07-12');
  await expect(text).toMatchFileSnapshot(`snapshots/versions-${columns}x${rows}.txt`);
});

test('deleting a locked version is refused, with the reason on the screen', async () => {
  const { screen, daemon } = await start('contract.pdf');
  await screen.press('d');
  await screen.waitFor('delete this version: it is on legal hold');
  await screen.press('H');
  await screen.waitFor('contract.pdf: hold lifted');
  await screen.press('d');
  await screen.waitFor('delete this version: COMPLIANCE until 2027-07-12');
  expect(daemon.lastOf('objects.delete')).toBeUndefined();
});

test('bypassing GOVERNANCE requires typing the name', async () => {
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
  [{}, 'the job says that the object drifted'],
  [{ drift: 'enforce' }, 'the job puts it on top again'],
])('deleting the current version of a mirrored file, with %o, says: %s', async (settings, said) => {
  const { screen, daemon } = await start('IMG_0001.jpg');
  const defaults = { drift: 'report' };
  daemon.replace('jobs.get', ({ name }) => ({ name, settings, defaults, options: [] }));
  daemon.emit({ type: 'job.changed', job: seededJob({ bucket: 'archive' }) });
  await screen.tick();
  await screen.press('d');
  const text = await screen.waitFor('Delete this version for good?');
  expect(text.replaceAll(/[\s│]+/g, ' ')).toContain(said);
});

test('restoring a version copies it to the top, and undo deletes the copy', async () => {
  const { screen, daemon, store } = await start('contract.pdf');
  await screen.press('R');
  await screen.waitFor('restore the version as current: it is the current version');
  await screen.press('G R');
  await screen.waitFor('contract.pdf is as it was');
  expect(daemon.lastOf('objects.copy')?.to).toEqual(KEY);
  expect(store.current(KEY.bucket, KEY.key)?.body).toContain('draft 1');
  await screen.press('u');
  await screen.tick();
  expect(store.current(KEY.bucket, KEY.key)?.body).toContain('draft 4');
});

test('a restored version under a default retention cannot be undone', async () => {
  const { screen, daemon, store } = await start('contract.pdf');
  const { 'objects.describe': describe } = store.answers();
  const retention = { mode: 'GOVERNANCE' as const, retainUntil: NOW + 7 * DAY };
  daemon.replace('objects.describe', async (place) => ({ ...(await describe!(place)), retention }));
  await screen.press('G R');
  const text = await screen.waitFor('contract.pdf is as it was');
  expect(text).not.toContain('u undo');
});

const RETENTION = { mode: 'GOVERNANCE' as const, retainUntil: NOW + 7 * DAY };

/** A deleted object is restored in a bucket whose default lock retains every new version. */
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
  expect(await screen.tickUntil('contract.pdf is as it was')).toContain('u undo');
  expect(store.current(KEY.bucket, KEY.key)?.body).toContain('draft 1');
  return started;
}

test('undo deletes a restored object again by a delete marker where a lock retains the copy', async () => {
  const { screen, store } = await restoreDeleted();
  const versions = store.bucket(KEY.bucket).keys.get(KEY.key)?.length ?? 0;
  await screen.press('u');
  await screen.tickUntil('undone: contract.pdf is as it was');
  const now = store.bucket(KEY.bucket).keys.get(KEY.key) ?? [];
  expect(now).toHaveLength(versions + 1);
  expect(now[0]).toMatchObject({ isMarker: true });
});

test('undo adds no delete marker over a version that came after the copy', async () => {
  const { screen, daemon, store } = await restoreDeleted();
  store.put(KEY.bucket, KEY.key, 'newer');
  await screen.press('u');
  await screen.tickUntil('undo: contract.pdf has a newer version');
  expect(daemon.lastOf('objects.delete')).toBeUndefined();
  expect(store.current(KEY.bucket, KEY.key)?.body).toBe('newer');
});

test('where versioning is suspended, restoring asks before it covers what has no id', async () => {
  const { screen, daemon } = await start('contract.pdf');
  daemon.replace('versioning.get', () => ({ versioning: 'Suspended' }));
  await screen.press('G R');
  await screen.waitFor('Restore over the current version?');
  await screen.press('n');
  expect(daemon.lastOf('objects.copy')).toBeUndefined();
});

test('two versions are compared, the older first, with their metadata', async () => {
  const { screen, store } = await start('contract.pdf');
  store.version(KEY).tags = [{ key: 'state', value: 'signed' }];
  await screen.press('=');
  await screen.waitFor('mark two versions with Space');
  await screen.press('space j j space =');
  const text = await screen.waitFor('+ contract, draft 4');
  expect(text).toContain('- contract, draft 1');
  expect(text).toContain('+ tag state: signed');
});

test('a delete marker is explained, and deleting it restores the object', async () => {
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
  await screen.press('j j j v');
  expect(await screen.waitFor('delete marker')).toContain('the object is deleted as long as');
  await screen.press('d');
  await screen.waitFor('old-index.html is there again');
  expect(store.current('archive', '2026/07/old-index.html')).toBeDefined();
});

describe('what a lock allows', () => {
  const compliance: LockState = {
    retention: { mode: 'COMPLIANCE', retainUntil: NOW + 10 * DAY },
  };
  const governance: LockState = {
    retention: { mode: 'GOVERNANCE', retainUntil: NOW + 10 * DAY },
  };
  const over: LockState = { retention: { mode: 'COMPLIANCE', retainUntil: NOW } };

  test.each([
    [{}, ['lock', 'put on hold', 'delete'], []],
    [over, ['lock', 'put on hold', 'delete'], []],
    [{ legalHold: true }, ['lock', 'lift hold'], ['delete']],
    [compliance, ['extend retention', 'put on hold'], ['shorten', 'delete']],
    [governance, ['extend retention', 'shorten by bypass', 'delete by bypass', 'put on hold'], []],
    [
      { ...governance, legalHold: true },
      ['extend retention', 'shorten by bypass', 'lift hold'],
      ['delete'],
    ],
  ])('the actions allowed under the lock %j', (lock, allowed, not) => {
    expect(allowedNow(lock, NOW)).toEqual({ allowed, not });
  });

  test.each([
    [{}, undefined],
    [over, undefined],
    [governance, undefined],
    [compliance, 'COMPLIANCE until 2026-12-01'],
    [{ legalHold: true }, 'it is on legal hold: lift that first (H)'],
  ])('the reason not to delete a version with the lock %j', (lock, why) => {
    expect(whyNotDeleted(lock, NOW)).toBe(why);
  });

  const days = (mode: 'GOVERNANCE' | 'COMPLIANCE', count: number) => {
    return { mode, retainUntil: NOW + count * DAY };
  };

  test.each([
    [days('GOVERNANCE', -1), {}, false, /future/],
    [days('GOVERNANCE', 40_000), {}, false, /100 years/],
    [days('COMPLIANCE', 11), compliance, false, undefined],
    [days('COMPLIANCE', 9), compliance, true, /nobody can shorten it/],
    [days('GOVERNANCE', 20), compliance, true, /nobody can change its mode/],
    [days('GOVERNANCE', 20), governance, false, undefined],
    [days('GOVERNANCE', 5), governance, false, /to shorten that, bypass/],
    [days('COMPLIANCE', 20), governance, false, /to change that, bypass/],
    [days('GOVERNANCE', 5), governance, true, undefined],
    [days('GOVERNANCE', 1), over, false, undefined],
  ])('setting the lock %j in place of %j, bypass %s', (wanted, lock, bypass, why) => {
    const told = whyNotRetained(wanted, { lock, now: NOW, bypass });
    if (why) expect(told).toMatch(why);
    else expect(told).toBeUndefined();
  });

  test.each([
    ['30d', NOW + 30 * DAY],
    ['2w', NOW + 14 * DAY],
    ['7y', Date.UTC(2033, 10, 21, 12)],
    ['2027-12-31', Date.UTC(2027, 11, 31)],
    ['2027-12-31 12:00', Date.UTC(2027, 11, 31, 12)],
    ['2027-12-31T12:00+02:00', Date.UTC(2027, 11, 31, 10)],
    ['soon', undefined],
    ['30', undefined],
  ])('the typed end of a lock %s', (typed, at) => {
    expect(untilOf(typed, NOW)).toBe(at);
  });
});

/**
 * Tests of the object list of a bucket: pages, marks, actions on objects, and hostile object names.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, test } from 'vitest';

import { ControlError } from '../../../src/control/control-error.ts';
import { seededStore } from '../../helpers/tui/bucket-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { NOW, seededJob, seededStatus } from '../../helpers/tui/seeds.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const open: TestScreen[] = [];

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

interface Start {
  readonly size?: { columns: number; rows: number };
  readonly answers?: Answers;
  readonly folder?: string;
  /** The bucket and prefix that the test opens, such as `archive/2026/07/`. */
  readonly at?: string;
  readonly store?: ReturnType<typeof seededStore>;
  readonly until?: string;
}

async function start({
  size,
  answers,
  folder = '/nowhere',
  at = 'archive/2026/07/',
  store = seededStore(),
  until = '1 of ',
}: Start = {}) {
  const daemon = new SeededDaemon({ ...store.answers(), ...answers });
  store.daemon = daemon;
  daemon.onUpload = store.received;
  const outside = { folder, userHome: '' };
  const screen = await new TestScreen({ ...size, connect: daemon.connect, outside }).start();
  open.push(screen);
  await screen.press(':');
  await screen.type(`bucket ${at}`);
  await screen.press('enter');
  await screen.waitFor(until);
  await screen.tick();
  await screen.tick();
  return { daemon, screen, store };
}

const ARCHIVE = { name: 'archive', createdAt: NOW };

const CONFLICTS: Answers = {
  status: () => {
    const { counts } = seededJob();
    const job = seededJob({
      bucket: 'archive',
      prefix: '2026/',
      counts: { ...counts, conflicts: 1 },
    });
    return { ...seededStatus(), jobs: [job] };
  },
  'conflicts.list': () => {
    const conflict = { id: 'c', path: '07/IMG_0001.jpg', state: 'open' as const };
    return { conflicts: [{ ...conflict, side: 'bucket' as const, at: NOW, etag: '"e"' }] };
  },
};

test.each([
  [80, 24],
  [120, 40],
])(
  'the dashboard shows folders, objects, deleted objects and their flags at %i×%i',
  async (columns, rows) => {
    const { screen } = await start({ size: { columns, rows }, answers: CONFLICTS });
    await screen.press('D');
    await screen.waitFor('(deleted)');
    await screen.press('space');
    await screen.tick();
    const text = await screen.waitFor('1 marked');
    expect(text).toMatch(/IMG_0001\.jpg .*--C-/);
    expect(text).toMatch(/contract\.pdf .* 4 {2}LH--/);
    expect(text).toMatch(/× .*old-index\.html .*---D/);
    await expect(text).toMatchFileSnapshot(`snapshots/objects-${columns}x${rows}.txt`);
  },
);

test('the dashboard starts the cursor at the first entry of a folder, not at the row of the parent folder', async () => {
  const { screen } = await start();
  expect(await screen.waitFor('❯ IMG_0001.jpg')).toContain('1 of 4');
  await screen.press('G enter');
  expect(await screen.waitFor('❯ 1.jpg')).toContain('1 of ');
  await screen.press('k enter');
  await screen.waitFor('❯ thumbs/');
});

test('the dashboard puts the cursor on the folder that the user has just left', async () => {
  const { screen } = await start();
  await screen.press('G enter');
  await screen.waitFor('2.jpg');
  await screen.press('h');
  await screen.waitFor('❯ thumbs/');
  await screen.press('g g enter');
  await screen.waitFor('buckets › archive › 2026/');
  expect(await screen.waitFor('❯ 07/')).toContain('1 of 1');
});

test('the dashboard moves the cursor to a typed key with g / and completes existing names', async () => {
  const { screen } = await start();
  await screen.press('g / ctrl-u');
  await screen.type('2026/07/c');
  await screen.press('tab');
  await screen.waitFor('2026/07/contract.pdf');
  await screen.press('ctrl-s');
  await screen.waitFor('❯ contract.pdf');
  await screen.press('g /');
  await screen.type('2026/07/none');
  await screen.press('ctrl-s');
  await screen.waitFor('2026/07/none does not exist in archive');
  await screen.press('j');
  expect(screen.text()).not.toContain('does not exist');
});

test('the dashboard goes to the first match with the palette command "key" if the text is not a key', async () => {
  const { screen } = await start({ at: 'archive', until: '1 of 1' });
  await screen.press(':');
  await screen.type('key contract');
  await screen.tickUntil('key 2026/07/contract.pdf');
  await screen.press('enter');
  await screen.waitFor('buckets › archive › 2026/07/');
  expect(await screen.waitFor('❯ contract.pdf')).not.toContain('does not exist');
});

test('the dashboard finds a key of the open bucket in the command palette by any part of the key', async () => {
  const { screen } = await start({ at: 'archive', until: '1 of 1' });
  await screen.press(':');
  await screen.type('contr');
  await screen.tickUntil('key 2026/07/contract.pdf');
  await screen.press('enter');
  await screen.waitFor('buckets › archive › 2026/07/');
  await screen.waitFor('❯ contract.pdf');
  await screen.press(':');
  await screen.type('key thmb');
  await screen.waitFor('key 2026/07/thumbs/1.jpg');
  await screen.press('esc 3 :');
  await screen.type('key contract.pdf\r');
  await screen.waitFor('find a key: open a bucket first');
});

test('the command palette finds keys by their prefix in a bucket with more keys than it searches', async () => {
  const store = seededStore();
  for (let index = 0; index < 6_000; index += 1) store.put('photos', `many/${index}.jpg`, 'x');
  store.put('photos', 'zoo/giraffe.jpg', 'x');
  const { screen } = await start({ store, at: 'photos', until: '1 of ' });
  await screen.press(':');
  await screen.type('key zoo/g');
  expect(await screen.tickUntil('key zoo/giraffe.jpg')).toContain('Command');
});

test('the command palette shows the keys of objects in full if the terminal has enough columns', async () => {
  const { screen } = await start();
  await screen.press(':');
  await screen.type('bucket archive/2026/07/');
  await screen.waitFor('bucket archive/2026/07/pano␊name‹U+202E›.tif');
});

test('the list of a bucket shows once why the service refuses to list it', async () => {
  const denied = () => {
    throw new ControlError('Storage', 'list archive: access denied');
  };
  const answers = { 'objects.list': denied, 'buckets.list': () => ({ buckets: [ARCHIVE] }) };
  const daemon = new SeededDaemon({ ...seededStore().answers(), ...answers });
  const screen = await new TestScreen({ connect: daemon.connect }).start();
  open.push(screen);
  await screen.press('2');
  await screen.waitFor('archive');
  await screen.press('enter');
  const text = await screen.waitFor('list archive: access denied');
  expect(text.split('access denied')).toHaveLength(2);
  expect(text).not.toContain('0 of 0');
});

test('a wide terminal shows the content of an object beside its details', async () => {
  const { screen } = await start({ size: { columns: 120, rows: 40 } });
  await screen.press('j enter');
  await screen.waitFor('permissions');
  await screen.tick(200);
  expect(await screen.waitFor('contract, draft 4')).toContain('Preview');
});

test('the note of a picture shows its format and not its content type', async () => {
  const store = seededStore();
  const attributes = { contentType: 'image/gif' };
  store.put('archive', 'z.gif', 'GIF89a\x40\x01\x20\x01', { attributes });
  const { screen } = await start({ store, at: 'archive', until: 'z.gif' });
  await screen.press('j p');
  expect(await screen.waitFor('GIF 320x288')).not.toContain('image/gif');
});

test('the pane beside a deleted object shows when it was deleted and how to restore it', async () => {
  const { screen } = await start({ size: { columns: 120, rows: 40 } });
  await screen.press('D j j');
  const text = await screen.waitFor('R restores the newest version');
  expect(text).toMatch(/deleted +2026-10-22 20:00:00/);
});

test('the form of a presigned URL asks how long the URL is valid', async () => {
  const { screen } = await start();
  await screen.press('u');
  expect(await screen.waitFor('Link to IMG_0001.jpg')).toMatch(/valid for +1d/);
  expect(screen.text()).toContain('Ctrl-S create');
});

test('the dashboard explains the code of a service error', async () => {
  const { screen } = await start({
    answers: {
      'objects.deleteMany': () => {
        throw new ControlError('Storage', 'delete: AccessDenied', { storageCode: 'AccessDenied' });
      },
    },
  });
  await screen.press('d');
  await screen.waitFor('AccessDenied (the key lacks the permission, or a lock');
});

test('for a remote service, the dashboard requests the locks of visible rows and the details of the selected row', async () => {
  const { screen, daemon } = await start({ at: 'eu:archive/2026/07/' });
  const keysOf = (method: string) =>
    daemon.asked.filter((each) => each.method === method).map(({ params }) => params);
  const text = await screen.waitFor('contract.pdf');
  await screen.tick();
  expect(text).toMatch(/contract\.pdf .* LH--/);
  expect(keysOf('objects.locks').length).toBeGreaterThan(2);
  expect(keysOf('objects.describe')).toHaveLength(1);
  const asked = keysOf('objects.locks').length;
  await screen.press('j k');
  await screen.tick();
  expect(keysOf('objects.locks')).toHaveLength(asked);
});

describe('the order of objects in a list', () => {
  /** Returns the names in the list from top to bottom. */
  const names = (text: string) =>
    text
      .split('\n')
      .slice(4, -2)
      .map((line) => /^│(?:❯| |×|\*)[ ❯×*]?([^\s│]+)/.exec(line)?.[1])
      .filter((name) => name !== undefined && /[./]/.test(name));

  async function sortBy(screen: TestScreen, order: string): Promise<string> {
    await screen.press('o');
    await screen.waitFor('by number of versions');
    const orders = ['name', 'size', 'date', 'number of versions'];
    await screen.press(`${'j '.repeat(orders.indexOf(order))}enter`);
    return order === 'name' ? screen.text() : screen.tickUntil(`by ${order}`);
  }

  test.each([
    ['size', ['IMG_0001.jpg', 'contract.pdf', 'thumbs/', 'pano␊name‹U+202E›.tif']],
    ['date', ['thumbs/', 'pano␊name‹U+202E›.tif', 'IMG_0001.jpg', 'contract.pdf']],
    ['number of versions', ['contract.pdf', 'thumbs/', 'IMG_0001.jpg', 'pano␊name‹U+202E›.tif']],
  ])(
    'the dashboard sorts folders by the totals of their objects in the order %s',
    async (order, expected) => {
      const { screen } = await start();
      await sortBy(screen, order);
      await screen.tickUntil('10 B');
      await screen.tick();
      expect(names(screen.text())).toEqual(['..', ...expected]);
    },
  );

  test('the dashboard shows no size for a folder until it is counted, and sorts it last', async () => {
    const { screen, daemon } = await start();
    daemon.replace('folders.sizes', () => {
      return { isCounting: true, listed: 2, folders: [], moreFolders: 0, isDeepest: false };
    });
    await screen.press('r');
    await screen.tick();
    await sortBy(screen, 'date');
    expect(names(screen.text()).at(-1)).toBe('thumbs/');
  });

  test('the dashboard shows the objects in their original order again after sorting by name', async () => {
    const { screen } = await start();
    await sortBy(screen, 'size');
    await sortBy(screen, 'name');
    expect(names(screen.text()).slice(0, 3)).toEqual(['..', 'IMG_0001.jpg', 'contract.pdf']);
    expect(screen.text()).not.toContain('by size');
  });

  test('the dashboard lists versions by date and can sort them by size', async () => {
    const store = seededStore();
    store.put('archive', '2026/07/contract.pdf', 'short');
    const { screen } = await start({ store });
    await screen.press('j v');
    await screen.waitFor('5 versions');
    await screen.press('o');
    expect(await screen.waitFor('by size')).toContain('by date');
    await screen.press('j enter');
    await screen.press('G');
    expect(await screen.tickUntil('5 of 5')).toMatch(/❯ \S+ +\S+ \S+ +5 B/);
  });

  test('the dashboard explains why a list with only one order cannot be sorted', async () => {
    const { screen } = await start();
    await screen.press('8');
    await screen.press('o');
    expect(await screen.waitFor('o is not')).toContain('this list cannot be sorted');
  });
});

describe('a bucket with a million objects', () => {
  const COUNT = 1_000_000;
  const name = (index: number) => `k${String(index).padStart(7, '0')}`;

  /** Simulates a service that responds to the given number of requests and then never responds. */
  function million(pages = Infinity): Answers {
    let left = pages;
    return {
      'objects.list': async ({ continuationToken, maxKeys = 1_000, prefix = '' }) => {
        left -= 1;
        if (left < 0) await new Promise(() => undefined);
        const from = Number(continuationToken ?? 0);
        const end = Math.min(from + maxKeys, COUNT);
        const objects = Array.from({ length: end - from }, (_, index) => {
          return {
            key: prefix + name(from + index),
            sizeBytes: 1,
            etag: '"e"',
            lastModifiedAt: NOW,
          };
        });
        return { objects, commonPrefixes: [], ...(end < COUNT ? { nextToken: String(end) } : {}) };
      },
    };
  }

  test('the dashboard loads only the needed pages of a bucket with a million objects', async () => {
    const { screen, daemon } = await start({ answers: million(), at: 'scratch' });
    const before = daemon.asked.length;
    await screen.type('5000j');
    await screen.tick();
    await screen.type('5000j');
    const text = await screen.waitFor('k0001');
    expect(text).toMatch(/of [234],000\+/);
    expect(daemon.asked.length - before).toBeLessThan(12);
  });

  test('the dashboard searches all pages for a filter, shows the progress of the search and can cancel it', async () => {
    const { screen } = await start({ answers: million(20), at: 'scratch' });
    await screen.press('/');
    await screen.type('00042');
    await screen.press('enter');
    await screen.waitFor(/searched \d[\d,]* so far/);
    expect(await screen.waitFor('k0000042')).toContain('/00042');
    await screen.press('esc');
    expect(await screen.waitFor('k0000043')).not.toContain('searched');
  });

  test('the dashboard can cancel the loading of all rows up to the last', async () => {
    const { screen } = await start({ answers: million(20), at: 'scratch' });
    await screen.type('G');
    await screen.waitFor('reading all rows');
    await screen.press(':');
    await screen.type('stop');
    await screen.press('enter');
    await screen.tick();
    const text = await screen.waitFor('stopped reading all rows');
    expect(text).toMatch(/[\d,]+ of [\d,]+\+/);
    expect(text.split('\n').at(-1)).not.toContain('reading all rows');
  });
});

describe('deleting objects in the dashboard', () => {
  test('the dashboard adds a delete marker when a versioned object is deleted, and undo removes the marker', async () => {
    const { screen, store } = await start();
    await screen.press('d');
    await screen.waitFor('deleted IMG_0001.jpg: added a delete marker, 1 version remains');
    expect(store.current('archive', '2026/07/IMG_0001.jpg')).toBeUndefined();
    await screen.press('G u');
    await screen.waitFor('IMG_0001.jpg is back');
    expect(await screen.waitFor(/❯.IMG_0001\.jpg/)).not.toContain('undone');
    expect(store.current('archive', '2026/07/IMG_0001.jpg')).toBeDefined();
  });

  test('the dashboard asks before deleting a mirrored object, because the job would upload the file again', async () => {
    const job = seededJob({ bucket: 'archive', prefix: '2026/', folder: '/mirrored' });
    const status = () => ({ ...seededStatus(), jobs: [job] });
    const { screen, daemon } = await start({ answers: { status } });
    await screen.press('d');
    const text = await screen.waitFor('Delete IMG_0001.jpg, 4.1 kB?');
    expect(text.replaceAll(/[\s│]+/g, ' ')).toContain(
      'Job photos backs up /mirrored here: the job uploads files that still exist there again',
    );
    expect(daemon.lastOf('objects.deleteMany')).toBeUndefined();
    await screen.press('y');
    await screen.waitFor('added a delete marker');
  });

  test('the dashboard states the purpose of internal objects in the question before they are deleted', async () => {
    const store = seededStore();
    store.put('archive', '.holdfast/claim', '{}');
    const status = () => ({ ...seededStatus(), jobs: [seededJob({ bucket: 'archive' })] });
    const { screen } = await start({ store, answers: { status }, at: 'archive/.holdfast/' });
    await screen.press('d');
    await screen.waitFor('Delete claim, 2 B?');
    expect(screen.text()).toContain(
      'Job photos keeps its ownership marker and replaced files there',
    );
  });

  test('the dashboard states the number of objects before it deletes them, lists failures and offers an undo', async () => {
    const store = seededStore();
    store.put('archive', '2026/07/thumbs/refused', 'x');
    const { screen } = await start({ store });
    await screen.press('* d');
    expect(await screen.waitFor('Delete 6 objects')).toContain(
      'Including all objects below 1 folder',
    );
    await screen.press('y');
    expect(await screen.waitFor('deleting: 1 failure')).toContain(
      'thumbs/refused: no right to do that',
    );
    await screen.press('esc');
    await screen.waitFor('5 delete markers');
    await screen.press('u');
    await screen.waitFor('contract.pdf');
    expect(store.current('archive', '2026/07/thumbs/1.jpg')).toBeDefined();
  });

  test('the dashboard counts the objects with locked versions in the question before it deletes several objects', async () => {
    const { screen } = await start();
    await screen.press('space space d');
    const text = await screen.waitFor('Delete 2 objects, 4.13 kB?');
    expect(text).toContain('all versions remain');
    expect(text).toContain('1 is locked: its versions cannot be deleted');
  });

  test('the dashboard restores deleted objects after one question, and undo deletes them again', async () => {
    const { screen, store } = await start();
    await screen.press('* d');
    await screen.waitFor('Delete 5 objects');
    await screen.press('y');
    await screen.waitFor('5 delete markers');
    store.put('archive', '2026/07/lost.txt', '', { isMarker: true });
    await screen.press('D');
    await screen.waitFor('(deleted)');
    await screen.press('* R');
    const plan = await screen.waitFor('Restore 6 objects, 4.15 kB?');
    expect(plan).toContain('6 delete markers are removed');
    expect(plan).toContain('1 deleted object has no version left');
    expect(store.current('archive', '2026/07/thumbs/1.jpg')).toBeUndefined();
    await screen.press('y');
    await screen.waitFor('restored 6 objects');
    expect(store.current('archive', '2026/07/thumbs/1.jpg')).toBeDefined();
    expect(store.current('archive', '2026/07/contract.pdf')).toBeDefined();
    await screen.press('u');
    await screen.waitFor('6 objects deleted again');
    expect(store.current('archive', '2026/07/contract.pdf')).toBeUndefined();
  });

  test('the dashboard asks the question of a permanent delete if the versioning of the bucket is unknown', async () => {
    const { screen } = await start({
      answers: {
        'versioning.get': () => {
          throw new ControlError('Storage', 'no', { storageCode: 'AccessDenied' });
        },
      },
    });
    await screen.press('d');
    expect(await screen.waitFor('type IMG_0001.jpg to confirm')).toContain(
      "The bucket's versioning is unknown",
    );
  });

  test('the dashboard requires typing the name to delete an object in a bucket without versioning', async () => {
    const { screen, store } = await start({ at: 'scratch' });
    await screen.press('d');
    expect(await screen.waitFor('type plain.txt to confirm')).toContain('this cannot be undone');
    await screen.type('plain.txt');
    await screen.press('enter');
    await screen.waitFor('deleted plain.txt');
    expect(store.current('scratch', 'plain.txt')).toBeUndefined();
  });
});

describe('object locks in the dashboard', () => {
  test('the dashboard requires typing the name to set a COMPLIANCE lock and shows the end of the lock', async () => {
    const { screen, store } = await start();
    await screen.press('L');
    await screen.type('soon');
    await screen.press('ctrl-s');
    await screen.waitFor('until: "soon" is neither a period nor a date: write 30d');
    await screen.press('ctrl-u');
    await screen.type('2027-07-12');
    await screen.press('tab right ctrl-s');
    const question = await screen.waitFor('type IMG_0001.jpg to confirm');
    expect(question).toContain('2027-07-12 00:00 (233 days)');
    expect(question).toContain('Until then no user can delete it or shorten the lock');
    await screen.type('IMG_0001.jpg');
    await screen.press('enter');
    await screen.waitFor('locked IMG_0001.jpg: COMPLIANCE until 2027-07-12 00:00');
    const version = store.version({ bucket: 'archive', key: '2026/07/IMG_0001.jpg' });
    expect(version.retention?.mode).toBe('COMPLIANCE');
  });

  test.each([
    ['1 earlier version stays unlocked.', 1, {}],
    ['3 earlier versions stay unlocked.', 3, {}],
    ['1 earlier version stays unlocked; 1 is locked already.', 2, { legalHold: true }],
    ['1 earlier version is locked already.', 1, { legalHold: true }],
  ])('the form of a lock shows: %s', async (shown, count, newest) => {
    const store = seededStore();
    for (let each = 0; each < count; each += 1) store.put('archive', 'z.txt', 'old');
    Object.assign(store.current('archive', 'z.txt') ?? {}, newest);
    store.put('archive', 'z.txt.other', 'x');
    store.put('archive', 'z.txt', 'new');
    const { screen, daemon } = await start({ store, at: 'archive', until: 'z.txt' });
    await screen.press('j L');
    await screen.waitFor(shown);
    await screen.type('2027-07-12');
    await screen.press('tab right ctrl-s');
    expect(await screen.waitFor('type z.txt to confirm')).toContain(shown);
    expect(daemon.lastOf('retention.set')).toBeUndefined();
  });

  test.each([
    ['lists no versions', 'versions.list', 'list the versions: 503 SlowDown'],
    ['returns no locks', 'versions.locks', 'read the locks: 503 SlowDown'],
  ] as const)(
    'the form of a lock shows why the earlier versions are unknown if the service %s',
    async (_case, method, message) => {
      const fails = () => {
        throw new ControlError('Storage', message, { storageCode: 'SlowDown' });
      };
      const { screen } = await start({ answers: { [method]: fails } });
      await screen.press('j L');
      const text = await screen.waitFor('bypass GOVERNANCE');
      expect(text.replaceAll(/[│\s]+/g, ' ')).toContain(`they could not be read: ${message}`);
    },
  );

  test('the form of a lock shows the error code of a lock that the service did not return', async () => {
    const locks = () => ({ objects: [{ code: 'AccessDenied' }, { code: 'SlowDown' }, {}] });
    const { screen } = await start({ answers: { 'versions.locks': locks } });
    await screen.press('j L');
    await screen.waitFor('they could not be read: SlowDown');
  });

  test('the form of a lock counts no earlier versions if the credentials do not permit listing them', async () => {
    const denied = () => {
      throw new ControlError('Storage', 'access denied', { storageCode: 'AccessDenied' });
    };
    const { screen } = await start({ answers: { 'versions.list': denied } });
    await screen.press('j L');
    await screen.waitFor('Only the current versions; earlier versions stay as they are.');
  });

  test('the form of a lock does not mention earlier versions of an object with a single version', async () => {
    const { screen } = await start();
    await screen.press('j j L');
    expect(await screen.waitFor('bypass GOVERNANCE')).not.toContain('earlier version');
  });

  test('the dashboard shows the size of the marked objects and counted folders beside their number', async () => {
    const { screen } = await start({ size: { columns: 60, rows: 16 } });
    await screen.press('*');
    const text = await screen.waitFor('4 marked, 4.14 kB');
    expect(text).toContain('─ L lock  H hold ─');
    expect(text).toMatch(/contract\.pdf .* 4 +LH--/);
  });

  test('the dashboard shows the number and size of several objects and the end of their lock before it locks them', async () => {
    const { screen, daemon } = await start();
    await screen.press('space j space L');
    await screen.type('30d');
    await screen.press('ctrl-s');
    expect(await screen.waitFor('Lock 2 objects?')).toMatch(/2 versions, .*: GOVERNANCE until/);
    await screen.press('n');
    expect(daemon.lastOf('retention.set')).toBeUndefined();
    await screen.press('ctrl-s y');
    await screen.waitFor('locked 2 objects: GOVERNANCE until');
  });

  test('the dashboard locks all objects below a folder and counts those that could not be locked', async () => {
    const { screen, store } = await start({ at: 'archive/2026/' });
    await screen.press('L');
    const current = 'Only the current versions; earlier versions stay as they are.';
    expect(await screen.waitFor('5 versions')).toContain(current);
    await screen.type('1d');
    await screen.press('ctrl-s');
    const text = await screen.waitFor('Lock 5 objects?');
    expect(text).toContain(current);
    expect(text).toContain('1 version cannot be changed: the present lock is longer or stricter');
    await screen.press('y');
    await screen.waitFor('locked 5 objects');
    expect(store.current('archive', '2026/07/thumbs/1.jpg')?.retention?.mode).toBe('GOVERNANCE');
  });

  test('the dashboard explains why a COMPLIANCE lock cannot be shortened', async () => {
    const { screen, daemon } = await start();
    await screen.press('j L');
    await screen.type('30d');
    await screen.press('ctrl-s');
    await screen.waitFor('it is COMPLIANCE until 2027-07-12 12:00: you cannot shorten it');
    expect(daemon.lastOf('retention.set')).toBeUndefined();
  });

  test('the dashboard sets a legal hold and can undo it', async () => {
    const { screen, store } = await start();
    await screen.press('H');
    await screen.waitFor('IMG_0001.jpg: on legal hold');
    const version = store.version({ bucket: 'archive', key: '2026/07/IMG_0001.jpg' });
    expect(version.legalHold).toBe(true);
    await screen.press('u');
    await screen.tick();
    expect(version.legalHold).toBe(false);
  });

  test('the dashboard keeps the existing legal holds when a legal hold on several objects is undone', async () => {
    const { screen, store } = await start();
    await screen.press('space space H');
    await screen.waitFor('2 objects: on legal hold');
    await screen.press('u');
    await screen.tick();
    const isHeld = (name: string) =>
      store.version({ bucket: 'archive', key: `2026/07/${name}` }).legalHold;
    expect([isHeld('IMG_0001.jpg'), isHeld('contract.pdf')]).toEqual([false, true]);
  });

  test('keys that are typed before the form of a lock opens are typed into the form instead of running commands', async () => {
    const store = seededStore();
    const known = Promise.withResolvers<void>();
    const answers = store.answers();
    const { screen } = await start({
      store,
      answers: {
        'objects.describe': async (params) => {
          await known.promise;
          return answers['objects.describe']!(params);
        },
      },
    });
    await screen.press('j');
    await screen.type('L\t30d');
    expect(await screen.waitFor('[2 Buckets]')).not.toContain('Delete');
    known.resolve();
    expect(await screen.waitFor('Lock contract.pdf')).toContain('until              30d');
  });

  test('the dashboard explains that the lock key is unavailable because the bucket has no object lock', async () => {
    const { screen } = await start({ at: 'scratch' });
    await screen.press('L');
    await screen.waitFor('L is not available: the bucket was created without Object Lock');
  });
});

test('the dashboard shows a preview as text with escaped control characters, or as bytes', async () => {
  const store = seededStore();
  store.put('archive', '2026/07/a.txt', 'red \u{1b}[31mline\nnext\tline\n');
  const { screen } = await start({ store });
  await screen.press('j p');
  expect(await screen.waitFor('red ␛[31mline')).toContain('next    line');
  await screen.press('x');
  expect(await screen.waitFor('00000000  72 65 64')).toContain('|red .[31mline.ne|');
});

test('the dashboard shows the dimensions of an image in a preview, whatever the file name is', async () => {
  const store = seededStore();
  store.put('archive', '2026/07/a.dat', 'GIF89a\u{20}\u{03}\u{58}\u{02}\0\0\0;');
  const { screen } = await start({ store });
  await screen.press('j p');
  await screen.waitFor('GIF 800x600');
});

test('the dashboard reads the first 64 KiB for a preview, and more on request', async () => {
  const store = seededStore();
  store.put('archive', '2026/07/a.log', 'line\n'.repeat(20_000));
  const { screen, daemon } = await start({ store });
  await screen.press('j p');
  await screen.waitFor('m reads more');
  expect(daemon.lastOf('objects.get')?.range).toEqual({ start: 0, end: 65_535 });
  await screen.press('m');
  await screen.waitFor('complete');
  expect(daemon.lastOf('objects.get')?.range).toEqual({ start: 65_536, end: 99_999 });
});

test('the dashboard creates a presigned URL for the typed lifetime of at most 7 days', async () => {
  const { screen, daemon } = await start();
  await screen.press('u tab ctrl-u');
  await screen.type('8d');
  await screen.press('ctrl-s');
  await screen.waitFor('7d (the maximum)');
  await screen.press('ctrl-u');
  await screen.type('2h');
  await screen.press('ctrl-s');
  expect(await screen.waitFor('Download link')).toContain('The link works only on this machine');
  expect(daemon.lastOf('links.create')).toMatchObject({ does: 'get', expiresSeconds: 7_200 });
});

describe('tags, metadata and permissions in the dashboard', () => {
  test('the dashboard checks the tags in a form and saves all of them together', async () => {
    const { screen, store } = await start();
    await screen.press('t');
    await screen.type('team');
    await screen.press('ctrl-s');
    await screen.waitFor('write KEY=VALUE');
    await screen.type('=core=1');
    await screen.press('ctrl-s');
    await screen.waitFor('tags of IMG_0001.jpg saved');
    const { tags } = store.version({ bucket: 'archive', key: '2026/07/IMG_0001.jpg' });
    expect(tags).toEqual([{ key: 'team', value: 'core=1' }]);
  });

  test('the dashboard changes tags of several objects after one question and keeps other tags', async () => {
    const { screen, daemon } = await start();
    await screen.press('space space t');
    await screen.waitFor('Tags of 2 objects');
    await screen.type('team=core');
    await screen.press('tab tab tab tab');
    await screen.type('draft, old');
    await screen.press('ctrl-s');
    const plan = await screen.waitFor('Change the tags of 2 objects?');
    expect(plan).toMatch(/set team=core[^]*remove draft[^]*remove old/);
    expect(daemon.lastOf('objects.retag')).toBeUndefined();
    await screen.press('y');
    await screen.waitFor('tags of 2 objects saved');
    const changes = { set: [{ key: 'team', value: 'core' }], remove: ['draft', 'old'] };
    expect(daemon.lastOf('objects.retag')).toMatchObject({ changes });
  });

  test('the dashboard removes an emptied metadata field from the object', async () => {
    const store = seededStore();
    const attributes = { contentType: 'image/jpeg', metadata: { camera: 'x100' } };
    store.put('archive', '2026/07/a.jpg', 'x', { attributes });
    const { screen, daemon } = await start({ store });
    await screen.press('j m');
    await screen.waitFor('image/jpeg');
    await screen.press('ctrl-u ctrl-s');
    await screen.waitFor('metadata of a.jpg saved');
    expect(daemon.lastOf('objects.change')?.changes).toEqual({
      metadata: { camera: 'x100' },
      remove: ['contentType'],
    });
  });

  test('the dashboard accepts grants in the syntax of the command line', async () => {
    const { screen, daemon } = await start();
    await screen.press('a tab');
    expect(screen.text()).toMatch(/│ +Canned ACL +│[^]*│ +Grants +│/);
    await screen.type('read:nobody');
    await screen.press('ctrl-s');
    await screen.waitFor('RIGHT:WHOM');
    await screen.press('ctrl-u');
    await screen.type('read:everyone');
    await screen.press('ctrl-s');
    await screen.waitFor('saved the permissions of IMG_0001.jpg');
    expect(daemon.lastOf('acl.set')?.grants).toEqual([{ grantee: 'AllUsers', permission: 'READ' }]);
  });
});

describe('saving and uploading files in the dashboard', () => {
  test('the dashboard asks before a saved object replaces an existing file', async () => {
    const folder = temporaryFolder();
    const { screen } = await start({ folder });
    await screen.press('j s ctrl-s');
    await screen.tickUntil('saved ');
    const file = join(folder, 'contract.pdf');
    expect(readFileSync(file, 'utf8')).toContain('draft 4');
    writeFileSync(file, 'mine');
    await screen.press('s ctrl-s');
    await screen.tickUntil('Replace the file?');
    await screen.press('n');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(readdirSync(folder)).toEqual(['contract.pdf']);
  });

  test('the dashboard offers to upload to an empty bucket and names the destination in the form', async () => {
    const { screen, daemon } = await start({
      at: 'archive/2026/none/',
      until: 'no objects; press U to upload',
    });
    expect(screen.text()).toContain('❯ ..');
    daemon.replace('objects.list', () => ({ objects: [], commonPrefixes: [] }));
    await screen.press(':');
    await screen.type('bucket eu:photos');
    await screen.press('enter');
    await screen.waitFor('buckets › eu:photos');
    await screen.press('U');
    await screen.waitFor('Upload into eu:photos/');
  });

  test('the dashboard asks before an uploaded file or folder replaces existing objects', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'new', 'below'), { recursive: true });
    writeFileSync(join(folder, 'new', 'a.txt'), 'a');
    writeFileSync(join(folder, 'new', 'below', 'b.txt'), 'b');
    const store = seededStore();
    store.put('archive', '2026/07/new/a.txt', 'before');
    const { screen } = await start({ folder, store });
    await screen.press('U');
    await screen.type('ne');
    await screen.press('tab');
    await screen.tickUntil('new/');
    await screen.press('ctrl-s');
    expect(await screen.tickUntil('Replace 1 object?')).toContain('2026/07/new/a.txt');
    await screen.tick(350);
    await screen.press('y');
    await screen.tickUntil('uploaded 2 files');
    expect(store.current('archive', '2026/07/new/below/b.txt')?.body).toBe('b');
    expect(store.current('archive', '2026/07/new/a.txt')?.body).toBe('a');
  });
});

const HOSTILE = [
  'line\nfeed and \r return',
  '\u{1b}[2J\u{1b}[31mred\u{7}',
  'abc\u{202e}gpj.exe',
  '👨‍👩‍👧‍👦'.repeat(12),
  'é'.repeat(512),
  '..',
  '.',
  'tab\tstop',
  '\u{200b}\u{feff}\u{200b}',
];

describe('object names that could damage the layout or the local disk', () => {
  test.each([
    [80, 24],
    [60, 16],
    [120, 40],
  ])(
    'the dashboard keeps the layout for object names with control characters or emoji at %i×%i',
    async (columns, rows) => {
      const store = seededStore();
      for (const name of HOSTILE) store.put('photos', name, 'x');
      const { screen } = await start({ size: { columns, rows }, store, at: 'photos' });
      // For this row, no details are shown beside the list.
      await screen.press('g g');
      const lines = screen.text().split('\n');
      expect(lines).toHaveLength(rows);
      const named = lines.filter((line) => /\d B\s+20\d\d-/.test(line) || /\s1 B/.test(line));
      expect(named.length).toBeGreaterThanOrEqual(Math.min(HOSTILE.length, rows - 8));
      expect(screen.text()).toContain('  ".." ');
      // In each row, the size is in the same column.
      expect(new Set(named.map((line) => line.slice(0, columns).indexOf(' 1 B'))).size).toBe(1);
      expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    },
  );

  test('the dashboard saves objects with dangerous names under safe names inside the chosen folder', async () => {
    const folder = temporaryFolder();
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    const store = seededStore();
    for (const name of HOSTILE) store.put('photos', name, name);
    const { screen } = await start({ store, at: 'photos', folder: inner });
    for (const _name of HOSTILE) {
      await screen.press('s ctrl-s');
      // The form closes only after the work has started.
      while (screen.ui.overlay || screen.ui.works.length > 0) await screen.settle();
      await screen.press('j');
    }
    expect(readdirSync(folder)).toEqual(['inner']);
    const files = readdirSync(inner);
    expect(files.filter((file) => /[\p{Cc}\p{Cf}]/u.test(file))).toEqual([]);
    const contents = files.map((file) => readFileSync(join(inner, file), 'utf8'));
    expect(contents.toSorted()).toEqual(HOSTILE.toSorted());
  });

  test('the dashboard writes nothing outside the chosen folder for object names with dots or through symbolic links', async () => {
    const folder = temporaryFolder();
    const [inner, outside] = [join(folder, 'inner'), join(folder, 'outside')];
    mkdirSync(inner);
    mkdirSync(outside);
    symlinkSync(outside, join(inner, 'link'));
    const store = seededStore();
    store.put('photos', 'a/../../escape', 'x');
    store.put('photos', 'link/new/through', 'x');
    store.put('photos', 'good', 'x');
    const { screen } = await start({ store, at: 'photos', folder: inner });
    await screen.press('* s ctrl-s');
    expect(await screen.tickUntil('saving: 1 failure')).toContain(
      'exists where a folder is needed',
    );
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(folder, 'escape'))).toBe(false);
    expect(readFileSync(join(inner, 'good'), 'utf8')).toBe('x');
    expect(readFileSync(join(inner, 'a', '__', '__', 'escape'), 'utf8')).toBe('x');
  });
});

test('the dashboard updates an open folder with one request after many changes by a job', async () => {
  const { screen, daemon, store } = await start({ answers: CONFLICTS });
  store.put('archive', '2026/07/fresh.txt', 'x');
  const before = daemon.asked.filter(({ method }) => method === 'objects.list').length;
  for (let count = 0; count < 50; count += 1) {
    const [level, message] = ['info' as const, 'put'];
    daemon.emit({
      type: 'activity',
      job: 'photos',
      level,
      action: 'put',
      path: '07/fresh.txt',
      message,
    });
  }
  await screen.tick(2_000);
  await screen.tickUntil('fresh.txt');
  const after = daemon.asked.filter(({ method }) => method === 'objects.list').length;
  expect(after - before).toBe(1);
});

test('the dashboard still shows deleted objects after the user has opened the parent folder', async () => {
  const store = seededStore();
  store.put('archive', 'gone.txt', '', { isMarker: true });
  const { screen } = await start({ store, at: 'archive' });
  await screen.press('enter');
  await screen.waitFor('07/');
  await screen.press('D h');
  await screen.tick();
  expect(await screen.waitFor('gone.txt')).toContain('❯ 2026/');
});

/**
 * Tests of parsing and formatting bucket names, grants, times, file names and previews for the
 * object screens.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { secondsOf } from '../../../tui/acts/link.ts';
import { nameToType } from '../../../tui/acts/names.ts';
import { tagProblem } from '../../../tui/acts/tags.ts';
import { objectFacts } from '../../../tui/screens/objects/object-facts.ts';
import { parentOf } from '../../../tui/data/place.ts';
import {
  hexLines,
  modeOf,
  plainLines,
  textOf,
} from '../../../tui/screens/preview/preview-lines.ts';
import { periodOf } from '../../../tui/screens/settings/lock-settings.ts';
import {
  forgetBucket,
  MOST_NOTED_BUCKETS,
  noteBucket,
  notedBuckets,
} from '../../../tui/data/notes.ts';
import { asked, bucketText, parsePlace } from '../../../tui/data/place.ts';
import { brokenLines, shownText } from '../../../tui/syntax/span.ts';
import { fileName, fileNames } from '../../../tui/text/file-name.ts';
import { grantOf, grantText } from '../../../tui/text/grants.ts';
import { makeLook } from '../../../tui/theme/look.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test.each([
  ['photos', 'local', 'photos', ''],
  ['photos/2026/', 'local', 'photos', '2026/'],
  ['eu:photos/a:b', 'eu', 'photos', 'a:b'],
  ['local:photos', 'local', 'photos', ''],
])(
  'the dashboard parses the typed location %s into target, bucket and key',
  (typed, target, bucket, rest) => {
    expect(parsePlace(typed)).toEqual({ place: { target, bucket }, rest });
  },
);

test('the parameters of a request contain the name of a remote target, but omit the embedded store', () => {
  expect(asked({ target: 'local', bucket: 'b' })).toEqual({ bucket: 'b' });
  expect(asked({ target: 'eu', bucket: 'b' })).toEqual({ bucket: 'b', target: 'eu' });
  expect(bucketText({ target: 'eu', bucket: 'b' })).toBe('eu:b');
});

test.each([
  ['a.txt', 'a.txt'],
  ['..', '__'],
  ['.', '_'],
  ['', '_'],
  ['a/b\\c', 'a_b_c'],
  ['a\nb\u{1b}[2J\u{202e}', 'a_b_[2J_'],
  ['.profile', '.profile'],
])('the dashboard saves the object name %j under a safe file name', (part, name) => {
  expect(fileName(part)).toBe(name);
});

test('the dashboard shortens a long file name to 220 bytes and keeps the extension', () => {
  const name = fileName(`${'é'.repeat(500)}.tar`);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(220);
  expect(name.endsWith('é.tar')).toBe(true);
});

test('the dashboard converts each segment of a key to a safe file name', () => {
  expect(fileNames('a/../b')).toEqual(['a', '__', 'b']);
});

test('the dashboard creates no file name for an empty key or a key that ends with a slash', () => {
  expect(fileNames('a/')).toBeUndefined();
  expect(fileNames('')).toBeUndefined();
});

test.each([
  ['read:everyone', { grantee: 'AllUsers', permission: 'READ' }],
  ['full:films@umbrella', { grantee: 'films@umbrella', permission: 'FULL_CONTROL' }],
  ['read-acl:photos:ann@acme', { grantee: 'photos:ann@acme', permission: 'READ_ACP' }],
  ['write:email:ann@acme.org', { emailAddress: 'ann@acme.org', permission: 'WRITE' }],
  ['everyone', undefined],
  ['rule:everyone', undefined],
  ['constructor:everyone', undefined],
  ['read:nobody', undefined],
])('the dashboard parses or refuses the typed grant %s', (typed, grant) => {
  expect(grantOf(typed)).toEqual(grant);
});

test('the dashboard displays a grant in the form in which users type it', () => {
  expect(grantText({ grantee: 'AllUsers', permission: 'READ' })).toBe('read:everyone');
});

test.each([
  ['7d', 604_800],
  ['30m', 1_800],
  ['1s', 1],
  ['0s', undefined],
  ['8d', undefined],
  ['1.5h', 5_400],
  ['1 day', 86_400],
  ['1h 30m', 5_400],
])(
  'the dashboard parses the typed lifetime %s of a presigned URL to seconds, or refuses it',
  (typed, seconds) => {
    expect(secondsOf(typed)).toBe(seconds);
  },
);

test.each([
  ['30d', { days: 30 }],
  ['2 weeks', { days: 14 }],
  ['7 years', { years: 7 }],
  ['36h', undefined],
  ['100y', { years: 100 }],
  ['101y', undefined],
  ['0d', undefined],
  ['36501d', undefined],
])('the dashboard parses or refuses the typed default retention %s', (typed, period) => {
  expect(periodOf(typed)).toEqual(period);
});

test.each([
  ['a=b', undefined],
  ['', undefined],
  ['a', 'write KEY=VALUE'],
  ['=b', 'write KEY=VALUE'],
  [`${'k'.repeat(129)}=v`, 'a key has at most 128 characters'],
])('the dashboard accepts the typed tag %s or reports its problem', (typed, problem) => {
  expect(tagProblem(typed, { 0: typed })).toBe(problem);
});

test('the dashboard refuses two tags with the same key', () => {
  expect(tagProblem('a=1', { 0: 'a=1', 1: 'a=2' })).toBe('there is another tag with the key a');
});

test('the dashboard asks for the bucket name in a confirmation if the key has characters that cannot be typed', () => {
  expect(nameToType('2026/contract.pdf', 'archive')).toBe('contract.pdf');
  expect(nameToType('2026/pano\nname', 'archive')).toBe('archive');
  expect(nameToType('a/ leading', 'archive')).toBe('archive');
});

test.each([
  ['a/b/', 'a/'],
  ['a/', ''],
  ['', ''],
  ['a//', 'a/'],
  ['/', ''],
])('the dashboard computes the parent of the prefix %j', (prefix, parent) => {
  expect(parentOf(prefix)).toBe(parent);
});

describe('previews of object content', () => {
  const look = makeLook('mono');

  test('the dashboard previews content as text unless it has a zero byte or invalid UTF-8 (except for a character cut at the end)', () => {
    expect(modeOf(Buffer.from('grüße'), true)).toBe('text');
    expect(modeOf(Buffer.from('a\0b'), true)).toBe('hex');
    expect(modeOf(Buffer.from([0xff, 0xfe]), true)).toBe('hex');
    expect(modeOf(Buffer.from('grü').subarray(0, 3), false)).toBe('text');
    expect(modeOf(Buffer.from('grü').subarray(0, 3), true)).toBe('hex');
  });

  test('the dashboard breaks the lines of a text preview at the width and keeps all other characters', () => {
    const lines = plainLines(textOf(Buffer.from('ab  cd\r\n\nx\n'), true));
    const shown = lines.flatMap((line) => brokenLines(line, 4, look));
    expect(shown.map((line) => shownText(line, look))).toEqual(['ab  ', 'cd', '', 'x']);
  });

  test('the dashboard shows half as many bytes per line of a hex preview on a narrow terminal', () => {
    const bytes = Buffer.from('0123456789abcdefg');
    expect(hexLines(bytes, 100)).toHaveLength(2);
    expect(hexLines(bytes, 60)).toHaveLength(3);
    expect(hexLines(bytes, 60).every((line) => line.length <= 60)).toBe(true);
  });
});

describe('the file that remembers opened buckets', () => {
  const place = (bucket: string) => ({ target: 'local', bucket });

  test('the dashboard remembers each opened bucket once, drops the oldest, and keeps unknown fields of the file', async () => {
    const file = join(temporaryFolder(), 'dashboard.json');
    writeFileSync(file, '{"later": 1}');
    for (let count = 0; count <= MOST_NOTED_BUCKETS; count += 1) {
      await noteBucket(file, place(`b${count}`));
    }
    await noteBucket(file, place('b5'));
    const noted = await notedBuckets(file);
    expect(noted).toHaveLength(MOST_NOTED_BUCKETS);
    expect(noted[0]).toEqual(place('b1'));
    await forgetBucket(file, place('b1'));
    expect(await notedBuckets(file)).toHaveLength(MOST_NOTED_BUCKETS - 1);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ later: 1 });
  });

  test.each(['', 'no json', '[]', '{"openedBuckets": [1, {"bucket": 2}]}'])(
    'the dashboard remembers no buckets if the file contains %j',
    async (text) => {
      const file = join(temporaryFolder(), 'dashboard.json');
      writeFileSync(file, text);
      expect(await notedBuckets(file)).toEqual([]);
    },
  );
});

test('the dashboard shows the recorded modification time of a file as a date, next to its seconds', () => {
  const metadata = { 'holdfast-mtime': '1795360998.518808956', origin: 'scanner' };
  const described = {
    key: 'a',
    sizeBytes: 1,
    etag: '"e"',
    lastModifiedAt: 0,
    versions: { count: 1, more: false },
    attributes: { metadata },
    tags: [],
    encrypted: false,
  };
  const facts = objectFacts(described, { now: 0, hasLock: false });
  const valueOf = (name: string) => facts.find((fact) => fact.name === name)?.value;
  expect(valueOf('metadata holdfast-mtime')).toBe('2026-11-22 15:23:18 (1795360998.518808956)');
  expect(valueOf('metadata origin')).toBe('scanner');
});

test('the dashboard omits the metadata of an object that only Holdfast needs', () => {
  const metadata = {
    'holdfast-mode': '0644',
    'holdfast-uploaded': '1795957096.735',
    'holdfast-proof': 'kG8',
    origin: 'scanner',
  };
  const described = {
    key: 'a',
    sizeBytes: 1,
    etag: '"e"',
    lastModifiedAt: 0,
    versions: { count: 1, more: false },
    attributes: { metadata },
    tags: [],
    encrypted: false,
  };
  const own = objectFacts(described, { now: 0, hasLock: false }).filter(({ name }) =>
    name.startsWith('metadata '),
  );
  expect(own.map(({ name, value }) => `${name} ${value}`)).toEqual([
    'metadata holdfast-mode 0644',
    'metadata origin scanner',
  ]);
});

test('the dashboard states that the number of versions of an object may include delete markers', () => {
  const described = {
    key: 'a',
    sizeBytes: 1,
    etag: '"e"',
    lastModifiedAt: 0,
    versions: { count: 6, more: false },
    attributes: {},
    tags: [],
    encrypted: false,
  };
  const facts = objectFacts(described, { now: 0, hasLock: false });
  expect(facts).toContainEqual({ name: 'versions', value: '6, including delete markers' });
});

/** Every format that a release ever wrote has a fixture, which tests of test/unit/formats open. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { CLUSTERS_FORMAT } from '../../src/cluster/engine/cluster-file.ts';
import { PROTOCOL_VERSION } from '../../src/control/first-messages.ts';
import { STORE_FORMAT } from '../../src/engine/schema.ts';
import { IDENTITY_FORMAT } from '../../src/identity/schema.ts';
import { STATE_FORMAT } from '../../src/mirror/state/state-schema.ts';
import { MONITORING_FORMAT } from '../../src/monitoring/schema.ts';
import { fixtureNames, readFixture } from '../formats/fixture.ts';

/** They are in every clone, for ever. */
const MAX_BYTES = 1024 ** 2;

const NEWEST = {
  store: STORE_FORMAT,
  state: STATE_FORMAT,
  identity: IDENTITY_FORMAT,
  monitoring: MONITORING_FORMAT,
  clusters: CLUSTERS_FORMAT,
};

test('each format of each database has a fixture: if not, `npm run fixture -- store`, or `home`', () => {
  const names = [...fixtureNames('store'), ...fixtureNames('home')];
  const there = new Set(
    names.flatMap((name) => Object.entries(readFixture(name).formats).map((each) => each.join())),
  );
  const missing = Object.entries(NEWEST).flatMap(([kind, newest]) =>
    Array.from({ length: newest }, (_, index) => `${kind},${index + 1}`),
  );
  expect(missing.filter((each) => !there.has(each))).toEqual([]);
});

test('a fixture of a store has the number of its format in its name, so that none is written over', () => {
  for (const name of fixtureNames('store'))
    expect(readFixture(name).formats['store']).toBe(Number(name.split('-')[1]));
});

test('all fixtures together are small', () => {
  const folder = join(import.meta.dirname, '../formats/fixtures');
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
});

test('the change log and the description of the format name those of now', () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  const formats = Object.entries(NEWEST).map(([kind, format]) => `${kind} ${format}`);
  expect(read('CHANGELOG.md')).toContain(
    `- Formats: ${formats.join(', ')}, control protocol ${PROTOCOL_VERSION}.`,
  );
  expect(read('src/engine/FORMAT.md')).toMatch(
    new RegExp(`^# The format of a store, version ${STORE_FORMAT}\n`),
  );
});

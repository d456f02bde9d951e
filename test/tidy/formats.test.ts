/**
 * Tests that a fixture exists for each database format of a release. The tests in test/unit/formats
 * open these fixtures.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { CLUSTERS_FORMAT } from '../../src/cluster/engine/cluster-file.ts';
import { PROTOCOL_VERSION } from '../../src/control/version-mismatch.ts';
import { STORE_FORMAT } from '../../src/engine/schema/schema.ts';
import { IDENTITY_FORMAT } from '../../src/identity/schema.ts';
import { STATE_FORMAT } from '../../src/mirror/state/state-schema.ts';
import { MONITORING_FORMAT } from '../../src/monitoring/schema.ts';
import { fixtureNames, readFixture } from '../formats/fixture.ts';

/** Maximum size of all fixtures in bytes. Fixtures remain in the Git history forever. */
const MAX_BYTES = 1024 ** 2;

const NEWEST = {
  store: STORE_FORMAT,
  state: STATE_FORMAT,
  identity: IDENTITY_FORMAT,
  monitoring: MONITORING_FORMAT,
  clusters: CLUSTERS_FORMAT,
};

test('each format of each database has a fixture (run `npm run fixture -- store` or `home` if one is missing)', () => {
  const names = [...fixtureNames('store'), ...fixtureNames('home')];
  const there = new Set(
    names.flatMap((name) => Object.entries(readFixture(name).formats).map((each) => each.join())),
  );
  const missing = Object.entries(NEWEST).flatMap(([kind, newest]) =>
    Array.from({ length: newest }, (_, index) => `${kind},${index + 1}`),
  );
  expect(missing.filter((each) => !there.has(each))).toEqual([]);
});

test('the name of a store fixture contains its format number, so that no fixture is overwritten', () => {
  for (const name of fixtureNames('store'))
    expect(readFixture(name).formats['store']).toBe(Number(name.split('-')[1]));
});

test('all database fixtures together have less than 1 MiB', () => {
  const folder = join(import.meta.dirname, '../formats/fixtures');
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
});

test('CHANGELOG.md and FORMAT.md contain the current format numbers of the databases', () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  const formats = Object.entries(NEWEST).map(([kind, format]) => `${kind} ${format}`);
  expect(read('CHANGELOG.md')).toContain(
    `- Formats: ${formats.join(', ')}, control protocol ${PROTOCOL_VERSION}.`,
  );
  expect(read('src/engine/FORMAT.md')).toMatch(
    new RegExp(`^# The format of a store, version ${STORE_FORMAT}\n`),
  );
});

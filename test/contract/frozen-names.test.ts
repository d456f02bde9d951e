/**
 * Tests that names in files, databases, buckets and requests do not change, because other programs, older homes and
 * users' scripts depend on them. The tests collect the names from what the program writes, returns or declares.
 * Moving or renaming code therefore does not change the lists in `frozen-names/`.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

import { metricsHelp, type Numbers, prometheusText } from '../../daemon/metrics/prometheus.ts';
import { commandLines } from '../helpers/frozen-names/command-lines.ts';
import { configLines } from '../helpers/frozen-names/config-lines.ts';
import { controlLines } from '../helpers/frozen-names/control-lines.ts';
import { databaseLines } from '../helpers/frozen-names/database-lines.ts';
import { errorLines } from '../helpers/frozen-names/error-lines.ts';
import { fileLines, homeDatabaseLines } from '../helpers/frozen-names/home-lines.ts';
import { indented, memberNames } from '../helpers/frozen-names/member-lines.ts';
import { metricLines } from '../helpers/frozen-names/metric-lines.ts';
import { objectLines } from '../helpers/frozen-names/object-lines.ts';
import { environmentLines, serviceLines } from '../helpers/frozen-names/outside-lines.ts';
import { makeSampleHome, type SampleHome } from '../helpers/frozen-names/sample-home.ts';
import { SchemaLines } from '../helpers/frozen-names/schema-lines.ts';
import { storeHealth } from '../helpers/job-status.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

async function expectAtRest(name: string, lines: readonly string[]): Promise<void> {
  await expect(
    textOf(lines),
    `A name in stored files, databases or buckets has changed. Older homes and buckets have the old name, so the change
needs a migration with a fixture of the old format (CONTRIBUTING.md, "A migration"). When both exist, add --update to:
  npx vitest run test/contract/frozen-names.test.ts`,
  ).toMatchFileSnapshot(fileOf(name));
}

async function expectOnWire(name: string, lines: readonly string[]): Promise<void> {
  await expect(
    textOf(lines),
    `A name that programs send or users type has changed. Programs and scripts use the old name, so renaming or removing it
is a breaking change, and CHANGELOG.md must list it. If the change is intended, add --update to:
  npx vitest run test/contract/frozen-names.test.ts`,
  ).toMatchFileSnapshot(fileOf(name));
}

const textOf = (lines: readonly string[]) => `${lines.join('\n').trim()}\n`;
const fileOf = (name: string) => `frozen-names/${name}.txt`;

let folder: string;
let sample: SampleHome;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hf-names-'));
  sample = await makeSampleHome(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the tables, named rows and stored JSON of all databases match frozen-names/databases.txt', () =>
  expectAtRest('databases', homeDatabaseLines(sample)));

it('the file names of a Holdfast home, a backup of its state and restored files match frozen-names/files.txt', () =>
  expectAtRest('files', fileLines(sample)));

it('the keys and the metadata of the objects that jobs write match frozen-names/objects.txt', () =>
  expectAtRest('objects', objectLines(sample)));

it('the files that Holdfast writes for a service manager match frozen-names/services.txt', async () =>
  expectAtRest('services', await serviceLines()));

it('the keys, values and defaults of config.yaml match frozen-names/config.txt', () =>
  expectOnWire('config', configLines()));

it('the methods, parameters, results and events of the control protocol match frozen-names/control.txt', () =>
  expectOnWire('control', controlLines()));

it('the codes of errors, problems and alerts match frozen-names/errors.txt', () =>
  expectOnWire('errors', errorLines()));

it('the commands with their arguments and options, and the exit codes, match frozen-names/commands.txt', async () =>
  expectOnWire('commands', await commandLines()));

it('the environment variables and the JSON bodies of webhook requests match frozen-names/environment.txt', () =>
  expectOnWire('environment', environmentLines(sample)));

it('the metrics with their types and labels, and the fields of GET /health, match frozen-names/metrics.txt', async () => {
  const metrics = metricLines([sample.prometheus, await prometheusText(SCRUBBED)]);
  for (const { name } of metricsHelp(SCRUBBED))
    expect(metrics, `${name} has no sample here: add one`).toContainEqual(
      expect.stringContaining(`${name} `),
    );
  const health = [
    '',
    'members of GET /health:',
    ...indented(memberNames(JSON.parse(sample.health))),
  ];
  await expectOnWire('metrics', [...metrics, ...health]);
});

/** The sample home is too new to have the result of a scrub, so the test adds one. */
const SCRUB = {
  scrubId: 1,
  startedAt: 0,
  finishedAt: 1,
  cursor: 0,
  blobs: 0,
  bytes: 0,
  damaged: 0,
  inconsistencies: 0,
};
const SCRUBBED: Numbers = {
  version: '',
  now: 0,
  startedAt: 0,
  buckets: [],
  monitored: new Set(),
  alarms: [],
  jobs: [],
  health: { ...storeHealth(), damaged: [], scrub: SCRUB },
  waitingWrites: 0,
  requests: [],
};

it('the frozen lists change if a database column or a metric is added, or a field of a message is renamed', () => {
  const path = join(temporaryFolder('hf-names'), 'one.sqlite');
  const database = new Database(path);
  database.exec('CREATE TABLE held (key TEXT, -- of the file\n at INTEGER DEFAULT (min(1, 2)))');
  const before = databaseLines(path);
  database.exec('ALTER TABLE held ADD COLUMN wish TEXT');
  database.close();
  const added = databaseLines(path).filter((line) => !before.includes(line));
  expect([before.includes('  at INTEGER DEFAULT (min(1, 2))'), added]).toEqual([
    true,
    ['  wish TEXT'],
  ]);

  const metric =
    '# TYPE holdfast_new_total counter\nholdfast_new_total{job="a, \\"b\\"",state="up"} 1';
  expect(metricLines([metric])).toEqual(['holdfast_new_total counter', '  job', '  state="up"']);

  const linesOf = (member: string) =>
    new SchemaLines().of('', 'params', z.object({ [member]: z.enum(['a', 'b']).default('a') }));
  expect(linesOf('to')).toEqual(['params.to?: "a" | "b" = "a"']);
  expect(linesOf('into')).not.toEqual(linesOf('to'));
});

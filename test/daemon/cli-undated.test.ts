/**
 * Tests of commands that show the files of an earlier time, with a service that may have changed the dates of versions.
 * The commands exit with code 3 and report how many keys are affected.
 */

import { dirname } from 'node:path';

import { expect, it } from 'vitest';

import type { ControlHandlers } from '../../daemon/control/control-handlers.ts';
import { rowsBody } from '../../daemon/control/rows.ts';
import type { Context } from '../../src/cli/context.ts';
import { undatedLines } from '../../src/cli/commands/restore/undated-line.ts';
import type { Streams } from '../../daemon/control/streams.ts';
import { controlFixture } from '../helpers/control-fixture.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { runCli, jsonOf } from '../helpers/run-cli.ts';

const FACTS = { sizeBytes: 5, lastModifiedAt: Date.UTC(2026, 10, 20), versionId: 'v' };
const INCOMPLETE = [
  'this view may be incomplete: the service may have changed the dates of versions of 2 paths,',
  '  whose recorded times are missing or not proven by the key of this job',
  '  Try: holdfast restore --from ENDPOINT/BUCKET/PREFIX --at TIME --to FOLDER, which needs no proof,',
  '  or restore the key of the job from a backup of the state: holdfast admin restore-state',
  '',
].join('\n');
const UNDATED = ['a', 'b'].map((path) => ({ path, code: 'undated', message: 'not known' }));
const RESTORED = {
  to: '/tmp/back',
  files: 2,
  kept: 0,
  directories: 0,
  symlinks: 0,
  bytes: 10,
  aside: 0,
  saved: 0,
  early: { count: 0, paths: [] },
  undated: 2,
  seconds: 1,
  problems: UNDATED,
  problemCount: 2,
};

async function* rowsOf(rows: readonly object[]) {
  yield* rows;
}

/**
 * Returns the control handlers of a daemon with one job. Two keys of the job have versions with
 * uncertain dates.
 */
function answers({ streams }: { readonly streams: Streams }): Partial<ControlHandlers> {
  const offer = (rows: readonly object[]) =>
    streams.offerDownload(rowsBody(rowsOf(rows), new FakeClock()));
  return {
    'restore.run': async () => RESTORED,
    'history.undo': async () => ({ ...RESTORED, copied: 0, removed: 0, job: 'docs' }),
    'history.planUndo': async () => {
      return { to: '/tmp', steps: [], total: 0, undated: ['a', 'b'], undatedCount: 2 };
    },
    'history.list': async () => {
      const rows = [
        { path: 'a', ...FACTS, isUncertain: true },
        { path: 'b', isUncertain: true },
        { path: 'c', ...FACTS },
      ];
      return { job: 'docs', stream: offer(rows) };
    },
    'history.compare': async () => {
      const rows = [
        { path: 'a', is: 'uncertain', after: { ...FACTS, etag: 'e' } },
        { path: 'b', is: 'uncertain' },
        { path: 'c', is: 'added', after: { ...FACTS, etag: 'e' } },
      ];
      return { job: 'docs', stream: offer(rows) };
    },
  };
}

async function run(...argv: readonly string[]) {
  const { socketPath } = await controlFixture(answers);
  return runCli(argv, { env: { HOLDFAST_HOME: dirname(socketPath) } });
}

it.each([
  [['restore', 'docs', '--to', '/tmp/back', '--at', '1d ago']],
  [['undo', 'docs', '--at', '1d ago']],
  [['undo', 'docs', '--at', '1d ago', '--dry-run']],
  [['history', 'docs', '--at', '1d ago']],
  [['diff', '--from', '1d ago']],
])(
  'the command %j exits with code 3, and reports how many paths have versions with uncertain dates',
  async (argv) => {
    const { exitCode, stdout } = await run(...argv);
    expect(stdout).toContain(INCOMPLETE);
    expect(exitCode).toBe(3);
  },
);

it('`restore --from` reports how many versions have no recorded time, and does not mention a key of a job', () => {
  const context = { out: { paint: (_: string, text: string) => text } } as unknown as Context;
  expect(undatedLines(context, 1, { isFrom: true })).toEqual([
    'this view may be incomplete: the service may have changed the dates of versions of 1 path,',
    '  which have no recorded time',
  ]);
});

it('`history --at` marks paths with uncertain dates, and counts only objects whose version is known', async () => {
  const { stdout } = await run('history', 'docs', '--at', '1d ago');
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/ {2}a {2}not certain$/);
  expect(lines[1]).toMatch(/^ +b {2}not certain$/);
  expect(lines[3]).toBe('2 objects, 10 B');
});

it('JSON output marks the paths with uncertain dates in its rows and reports, and the command exits with code 3', async () => {
  const listed = await run('history', 'docs', '--at', '1d ago', '--json');
  const { entries: rows } = jsonOf(listed.stdout) as {
    entries: { path: string; isUncertain?: true }[];
  };
  expect(rows.filter(({ isUncertain }) => isUncertain).map(({ path }) => path)).toEqual(['a', 'b']);
  const restored = await run('restore', 'docs', '--to', '/tmp/back', '--at', '1d ago', '--json');
  expect(jsonOf(restored.stdout)).toMatchObject({ undated: 2, problems: UNDATED });
  expect([listed.exitCode, restored.exitCode]).toEqual([3, 3]);
});

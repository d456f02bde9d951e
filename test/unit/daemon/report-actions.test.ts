/** Tests that the daemon reports requested actions as activity: locks, holds, decisions, restores and undos. */

import { expect, test } from 'vitest';

import {
  GroupedReports,
  reportingHandlers,
  type ReportOptions,
} from '../../../daemon/handlers/jobs/report-actions.ts';
import type { ControlHandlers } from '../../../daemon/control/control-handlers.ts';
import type { JobList } from '../../../daemon/jobs/subject.ts';
import type { JobConfig } from '../../../src/config/config.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';

const UNTIL = new Date(2027, 0, 2, 3, 4).getTime();
const RETENTION = { mode: 'GOVERNANCE', retainUntil: UNTIL } as const;

const PHOTOS = {
  config: {
    name: 'photos',
    folder: '/home/ada/Photos',
    target: 'local',
    bucket: 'archive',
    prefix: 'p/',
  } as JobConfig,
};

const JOBS: JobList<typeof PHOTOS> = {
  find: (match) => (match(PHOTOS.config) ? PHOTOS : undefined),
  get: () => PHOTOS,
  all: () => [PHOTOS],
};

const CONTEXT = { signal: new AbortController().signal, connection: { id: 1, client: 'test' } };

/** Returns the reporting handlers of a daemon in which each action has the given result. */
function start(result: object | Error = {}, jobs: JobList<typeof PHOTOS> = JOBS) {
  const clock = new FakeClock();
  const lines: string[] = [];
  const handle = async () => {
    if (result instanceof Error) throw result;
    return result;
  };
  const handlers = new Proxy({}, { get: () => handle }) as ControlHandlers;
  const report: ReportOptions['report'] = (job, { level, action, path, message }) =>
    void lines.push([level, job || '-', action, path ?? '-', message].join(' | '));
  const grouped = new GroupedReports({ jobs, clock, report });
  const reporting = reportingHandlers(handlers, { jobs, grouped, report });
  return { reporting, lines, clock, grouped };
}

const OBJECT = { bucket: 'archive', key: 'p/2026/a.jpg' };

test('the daemon reports a lock with the job and the path of the file', async () => {
  const { reporting, lines, clock } = start();
  await reporting['retention.set']({ ...OBJECT, retention: RETENTION }, CONTEXT);
  clock.advance(1_000);
  expect(lines).toEqual(['info | photos | lock | 2026/a.jpg | GOVERNANCE until 2027-01-02 03:04']);
});

test('the daemon reports equal locks of many files as one activity with their number', async () => {
  const { reporting, lines, clock } = start();
  for (let each = 0; each < 3; each += 1) {
    await reporting['retention.set'](
      { bucket: 'archive', key: `p/${each}`, retention: RETENTION },
      CONTEXT,
    );
    clock.advance(900);
  }
  expect(lines).toEqual([]);
  clock.advance(100);
  expect(lines).toEqual([
    'info | photos | lock | - | 3 versions: GOVERNANCE until 2027-01-02 03:04',
  ]);
});

test('before the daemon stops, it reports a lock that was just set, and it reports nothing afterwards', async () => {
  const { reporting, lines, clock, grouped } = start();
  await reporting['retention.set']({ ...OBJECT, retention: RETENTION }, CONTEXT);
  grouped.close();
  expect(lines).toEqual(['info | photos | lock | 2026/a.jpg | GOVERNANCE until 2027-01-02 03:04']);
  clock.advance(2_000);
  expect(lines).toHaveLength(1);
});

test('the daemon reports legal holds, also of objects to which no job backs up', async () => {
  const { reporting, lines, clock } = start();
  await reporting['hold.set']({ ...OBJECT, legalHold: true }, CONTEXT);
  await reporting['hold.set']({ bucket: 'other', key: 'x', legalHold: false }, CONTEXT);
  clock.advance(1_000);
  expect(lines).toEqual([
    'info | photos | hold | 2026/a.jpg | legal hold placed',
    'info | - | hold | other/x | legal hold removed',
  ]);
});

test('the daemon reports no lock and no hold that was only checked or that failed', async () => {
  const dry = start();
  await dry.reporting['retention.set']({ ...OBJECT, retention: RETENTION, dryRun: true }, CONTEXT);
  await dry.reporting['hold.set']({ ...OBJECT, legalHold: true, dryRun: true }, CONTEXT);
  const failing = start(new Error('AccessDenied'));
  const failed = failing.reporting['hold.set']({ ...OBJECT, legalHold: true }, CONTEXT);
  await expect(failed).rejects.toThrow('AccessDenied');
  for (const { clock } of [dry, failing]) clock.advance(1_000);
  expect([...dry.lines, ...failing.lines]).toEqual([]);
});

test('the daemon reports the decision about held changes with the numbers of changes', async () => {
  const { reporting, lines } = start({ deletes: 36, overwrites: 1, renames: 0 });
  await reporting['jobs.reject']({ name: 'photos' }, CONTEXT);
  await reporting['jobs.approve']({ name: 'photos' }, CONTEXT);
  expect(lines).toEqual([
    'info | photos | reject | - | rejected 36 deletes, 1 overwrite; the bucket stays as it is',
    'info | photos | approve | - | approved 36 deletes, 1 overwrite',
  ]);
  const nothing = start({ deletes: 0, overwrites: 0, renames: 0 });
  await nothing.reporting['jobs.reject']({ name: 'photos' }, CONTEXT);
  expect(nothing.lines).toEqual([]);
});

test('the daemon reports default retentions and released locks', async () => {
  const { reporting, lines } = start({ versions: 2 });
  const defaultRetention = { mode: 'GOVERNANCE', days: 30 } as const;
  await reporting['locks.set']({ bucket: 'archive', defaultRetention }, CONTEXT);
  await reporting['locks.set']({ bucket: 'archive' }, CONTEXT);
  await reporting['jobs.release']({ job: 'photos', paths: ['a'] }, CONTEXT);
  expect(lines).toEqual([
    'info | - | lock | - | default retention of bucket archive: GOVERNANCE for 30 days',
    'info | - | lock | - | default retention of bucket archive: removed',
    'info | photos | release | - | the locks of 2 versions are not renewed',
  ]);
});

test('the daemon reports how many files and bytes a restore and an undo wrote, the folder, the time and the problems', async () => {
  const { reporting, lines } = start({ files: 12, bytes: 3_000, to: '/back', problemCount: 1 });
  await reporting['restore.run']({ id: 'a', job: 'photos', at: UNTIL }, CONTEXT);
  await reporting['history.undo']({ id: 'b', job: 'photos' }, CONTEXT);
  await reporting['history.undo']({ id: 'c', job: 'photos', redo: true }, CONTEXT);
  expect(lines).toEqual([
    'warn | photos | restore | - | 12 files, 3 kB to /back, as of 2027-01-02 03:04; 1 problem',
    'warn | photos | undo | - | 12 files, 3 kB to /back; 1 problem',
    'warn | photos | redo | - | 12 files, 3 kB to /back; 1 problem',
  ]);
});

test('the daemon reports a restore that failed or was stopped, but no restore that it refused', async () => {
  const failed = start(new Error('the service ended the connection'));
  const stopped = start(new DOMException('aborted', 'AbortError'));
  const refused = start(new ControlError('BadRequest', 'not an absolute path'));
  for (const { reporting } of [failed, stopped, refused])
    await reporting['restore.run']({ id: 'a', job: 'photos' }, CONTEXT).catch(() => undefined);
  expect([...failed.lines, ...stopped.lines, ...refused.lines]).toEqual([
    'error | photos | restore | - | failed: the service ended the connection',
    'warn | photos | restore | - | stopped',
  ]);
});

test('a restore succeeds and is reported even if its job is removed meanwhile', async () => {
  const result = { files: 1, bytes: 4, to: '/out', problemCount: 0 };
  const get = () => {
    throw new ControlError('NotFound', 'no job named photos');
  };
  const none: JobList<typeof PHOTOS> = { find: () => undefined, get, all: () => [] };
  const { reporting, lines } = start(result, none);
  const params = { id: 'r1', job: 'photos', to: '/out' };
  expect(await reporting['restore.run'](params, CONTEXT)).toBe(result);
  expect(lines).toEqual(['info | - | restore | - | 1 file, 4 B to /out']);
});

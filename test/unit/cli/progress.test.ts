import { stripVTControlCharacters } from 'node:util';

import { describe, expect, it, test } from 'vitest';

import { showRestore } from '../../../src/cli/commands/restore/restore.ts';
import { Output } from '../../../src/cli/output/output.ts';
import { type Amounts, Progress } from '../../../src/cli/output/progress.ts';
import { fraction } from '../../../src/cli/output/progress-lines.ts';
import { type Followed, jobProgress } from '../../../src/cli/output/summary.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { jobStatus } from '../../helpers/job-status.ts';
import { CapturedSink } from '../../helpers/run-cli.ts';

const GIGABYTE = 1e9;
const ERASE = '\r\u001b[J';

interface Setup {
  readonly columns?: number;
  readonly env?: Record<string, string>;
  readonly json?: boolean;
}

function fixture({ columns, env = {}, json = false }: Setup = {}) {
  const clock = new FakeClock();
  const [stdout, stderr] = [new CapturedSink(), new CapturedSink(columns)];
  const io = { stderr, clock, env };
  const progress = new Progress({ io, json, out: new Output(stdout, env) });
  /** Returns the text on the terminal's screen. */
  const screen = () => stripVTControlCharacters(stderr.text.split(ERASE).at(-1) ?? '');
  return { clock, stdout, stderr, progress, screen };
}

it('the shown progress does not decrease if the transfer of a file is repeated, or if its bytes are counted later', () => {
  const { clock, progress, screen } = fixture({ columns: 100 });
  const total = { totalFiles: 10, totalBytes: 100 * GIGABYTE };
  progress.start('mirroring docs');
  progress.show('mirroring docs', { files: 2, bytes: 24 * GIGABYTE, ...total });
  progress.show('mirroring docs', { files: 3, bytes: 13 * GIGABYTE, ...total });
  clock.advance(1_000);
  expect(screen()).toContain('3/10 files  24/100 GB');
  progress.show('mirroring docs', { files: 3, bytes: 24 * GIGABYTE, ...total, totalBytes: 900e9 });
  clock.advance(1_000);
  expect(screen()).toContain(' 24 %');
  progress.show('mirroring mail', { files: 1, bytes: 5 * GIGABYTE, ...total });
  clock.advance(1_000);
  expect(screen()).toContain('1/10 files  5/100 GB');
  progress.end();
});

const film = (bytes: number) => ({ path: 'films/film.mp4', bytes, sizeBytes: GIGABYTE });

/**
 * The progress `second` seconds after the start of an operation: 40 MB of a film per second, and
 * 1,000 letters.
 */
interface Moment {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
  readonly totalBytes: number;
  readonly filmBytes: number | undefined;
}

interface Folder {
  readonly letters: number;
  readonly hasFilm: boolean;
}

const FOLDERS: Record<string, Folder> = {
  'a file of 1 GB': { letters: 0, hasFilm: true },
  '20,000 small files': { letters: 20_000, hasFilm: false },
  'a file of 1 GB and 20,000 small files': { letters: 20_000, hasFilm: true },
};
const LETTER_BYTES = 132;

function momentOf({ letters, hasFilm }: Folder, second: number): Moment {
  const lettersDone = Math.min(letters, second * 1_000);
  const filmDone = hasFilm ? Math.min(GIGABYTE, second * 40e6) : 0;
  const isFilmDone = hasFilm && filmDone === GIGABYTE;
  return {
    files: lettersDone + (isFilmDone ? 1 : 0),
    totalFiles: letters + (hasFilm ? 1 : 0),
    bytes: lettersDone * LETTER_BYTES + filmDone,
    totalBytes: letters * LETTER_BYTES + (hasFilm ? GIGABYTE : 0),
    filmBytes: hasFilm && !isFilmDone ? filmDone : undefined,
  };
}

/**
 * Returns the progress that `holdfast up` reports at a given second, without a count of the
 * folder's files. The scan of the job is 500 files ahead of its uploads.
 */
function followedAt(folder: Folder, second: number): Followed {
  const { files, totalFiles, bytes, totalBytes, filmBytes = 0 } = momentOf(folder, second);
  const found = Math.min(totalFiles, files + 500);
  const isScanning = found < totalFiles;
  const pendingBytes = isScanning
    ? 500 * LETTER_BYTES + (folder.hasFilm ? GIGABYTE : 0)
    : totalBytes - bytes + filmBytes;
  const before = jobStatus({ state: 'scanning', inSync: false, counts: { files: 0, bytes: 0 } });
  const counts = {
    uploadedVersions: files,
    uploadedBytes: bytes - filmBytes,
    pending: found - files,
    pendingBytes,
  };
  const job = jobStatus({ state: isScanning ? 'scanning' : 'mirroring', inSync: false, counts });
  const rates = { bytesPerSecond: 0, operationsPerSecond: 0, share: 0 };
  const inFlight = folder.hasFilm && files < totalFiles;
  return {
    before,
    job,
    transfers: {
      type: 'job.transfers',
      job: 'photos',
      transfers: inFlight
        ? [
            {
              path: 'films/film.mp4',
              kind: 'put',
              sizeBytes: GIGABYTE,
              sentBytes: filmBytes,
              startedAt: 0,
            },
          ]
        : [],
      count: inFlight ? 1 : 0,
      progress: {
        ...rates,
        remainingFiles: found - files,
        remainingBytes: pendingBytes - filmBytes,
      },
      ...(isScanning && { scanned: found }),
    },
  };
}

const OPERATIONS: Record<string, (progress: Progress, folder: Folder, second: number) => void> = {
  up(progress, folder, second) {
    const { title, amounts } = jobProgress([followedAt(folder, second)]);
    progress.show(title, amounts);
  },
  'up of a folder that was counted'(progress, folder, second) {
    const { totalFiles: files, totalBytes: bytes } = momentOf(folder, second);
    const count = { files, bytes, isComplete: second >= 1 };
    const { title, amounts } = jobProgress([{ ...followedAt(folder, second), count }]);
    progress.show(title, amounts);
  },
  restore(progress, folder, second) {
    const { filmBytes, ...amounts } = momentOf(folder, second);
    if (second < 1)
      return showRestore(progress, { files: 0, bytes: 0, listed: amounts.totalFiles });
    const current = filmBytes === undefined ? {} : { current: film(filmBytes) };
    showRestore(progress, { ...amounts, ...current });
  },
};

/** Draws each operation for 26 seconds and returns the text on the terminal at several times. */
function recorded(columns: number): string {
  const frames = Object.entries(OPERATIONS).flatMap(([name, show]) =>
    Object.entries(FOLDERS).flatMap(([content, folder]) => {
      const { clock, progress, screen } = fixture({ columns });
      const lines = [`\n## ${name}: ${content}`];
      for (let step = 0; step <= 26 * 4; step += 1) {
        const second = step / 4;
        show(progress, folder, second);
        if ([0, 2, 5, 12, 19.5, 23, 26].includes(second)) lines.push(`${second} s`, screen());
        clock.advance(250);
      }
      progress.end();
      return lines;
    }),
  );
  return `${frames.join('\n')}\n`;
}

test.each([80, 120])(
  'up and restore show amounts, rate and remaining time of small and large files in %i columns',
  async (columns) => {
    const text = recorded(columns);
    for (const line of text.split('\n')) expect(line.length).toBeLessThan(columns);
    await expect(text).toMatchFileSnapshot(`snapshots/progress-${columns}.txt`);
  },
);

describe('progress of a command', () => {
  const half = { bytes: 50, totalBytes: 100 };

  it('a command shows no progress if HOLDFAST_NO_PROGRESS is set, as --no-progress and --quiet do', () => {
    for (const json of [false, true]) {
      const env = { HOLDFAST_NO_PROGRESS: '1' };
      const { clock, stdout, stderr, progress } = fixture({ columns: 80, env, json });
      progress.start('copying');
      progress.show('copying', half);
      clock.advance(60_000);
      expect([stderr.text, stdout.text]).toEqual(['', '']);
    }
  });

  it('a command advances the progress bar with each file, even an empty file', () => {
    expect(fraction({ files: 50, bytes: 0, totalFiles: 100, totalBytes: 0 })).toBe(0.5);
    expect(fraction({ files: 0, bytes: 0, totalFiles: 0, totalBytes: 0 })).toBe(1);
    expect(fraction({ bytes: 5 })).toBe(undefined);
  });

  it('a command prints a progress line every ten seconds without a terminal, even if nothing happens', () => {
    const { clock, stderr, progress } = fixture();
    progress.start('mirroring photos');
    clock.advance(10_000);
    progress.show('mirroring photos', {
      files: 0,
      totalFiles: 2,
      bytes: 0,
      totalBytes: GIGABYTE,
      current: film(0),
    });
    clock.advance(1_000);
    progress.show('mirroring photos', {
      files: 0,
      totalFiles: 2,
      bytes: 250e6,
      totalBytes: GIGABYTE,
      current: film(250e6),
    });
    clock.advance(19_000);
    progress.end();
    clock.advance(60_000);
    expect(stderr.text.split('\n')).toEqual([
      'mirroring photos: starting',
      'mirroring photos: 24 %, 0/2 files, 250 MB/1 GB, 13 MB/s, 58 s left; films/film.mp4  25 % of 1 GB',
      'mirroring photos: 24 %, 0/2 files, 250 MB/1 GB, 1.99 MB/s, 6 min 17 s left; films/film.mp4  25 % of 1 GB',
      '',
    ]);
  });

  it('a command prints plain progress lines on a terminal without escape sequences', () => {
    const { clock, stderr, progress } = fixture({ columns: 80, env: { TERM: 'dumb' } });
    progress.show('mirroring photos', half);
    clock.advance(10_000);
    expect(stderr.text).toBe('mirroring photos: 50 %, 50/100 B\n');
  });

  it('a command removes only the colors from the progress if NO_COLOR is set', () => {
    const [plain, colored] = [{ NO_COLOR: '1' }, {}].map((env) => {
      const { stderr, progress } = fixture({ columns: 80, env });
      progress.show('mirroring photos', half);
      return stderr.text;
    });
    expect(colored).toContain('\u001b[32m');
    expect(plain).not.toContain('\u001b[32m');
    expect(plain).toContain(stripVTControlCharacters(colored ?? '').trim());
  });

  it('a command writes a JSON progress event per second to standard output with --json and draws nothing', () => {
    const { clock, stdout, stderr, progress } = fixture({ columns: 80, json: true });
    progress.start('restoring');
    progress.show('restoring', { files: 0, bytes: 0, scanned: 7 });
    clock.advance(1_000);
    const amounts = { files: 1, totalFiles: 4, bytes: 0, totalBytes: GIGABYTE };
    progress.show('restoring', { ...amounts, current: film(0) });
    clock.advance(1_000);
    progress.show('restoring', { ...amounts, bytes: 500e6, current: film(500e6) });
    clock.advance(2_000);
    progress.end();
    clock.advance(10_000);
    const events = stdout.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(events).toHaveLength(4);
    expect(events[0]).toEqual({
      event: { type: 'progress', title: 'restoring', files: 0, bytes: 0, scanned: 7 },
    });
    expect(events[3]).toMatchObject({
      event: {
        bytes: 500e6,
        totalBytes: GIGABYTE,
        share: 0.5,
        current: film(500e6),
        remainingSeconds: expect.any(Number) as number,
        bytesPerSecond: expect.any(Number) as number,
      },
    });
    expect(stderr.text).toBe('');
  });

  it('a command redraws the progress on a terminal five times per second without any event and removes it at the end', () => {
    const { clock, stderr, progress, screen } = fixture({ columns: 80 });
    progress.show('mirroring photos', half);
    clock.advance(1_000);
    expect(stderr.text.split(ERASE)).toHaveLength(1 + 1 + 5);
    progress.clear();
    expect(screen()).toBe('');
    clock.advance(200);
    expect(screen()).toContain('50 %');
    progress.end();
    progress.show('mirroring photos', half);
    clock.advance(1_000);
    expect(screen()).toBe('');
  });

  it('a command lowers the rate and raises the remaining time while no data arrives', () => {
    const { clock, progress, screen } = fixture({ columns: 120 });
    for (let second = 0; second <= 10; second += 1) {
      progress.show('restoring', { bytes: second * 50e6, totalBytes: GIGABYTE });
      clock.advance(1_000);
    }
    expect(screen()).toMatch(/4\d(?:\.\d)? MB\/s {2}1[01] s left/);
    clock.advance(20_000);
    expect(screen()).toMatch(/\b1\.\d+ MB\/s {2}\d+ min/);
    clock.advance(600_000);
    expect(screen()).toMatch(/ 0 B\/s$/m);
  });

  it('a command does not count the time before the first byte in the transfer rate', () => {
    const { clock, progress, screen } = fixture({ columns: 120 });
    progress.show('restoring', { bytes: 0, totalBytes: GIGABYTE });
    clock.advance(60_000);
    expect(screen()).not.toContain('/s');
    for (let second = 1; second <= 4; second += 1) {
      progress.show('restoring', { bytes: second * 50e6, totalBytes: GIGABYTE });
      clock.advance(1_000);
    }
    expect(screen()).toMatch(/\b(?:4\d|5\d)(?:\.\d)? MB\/s/);
  });

  it('a command shows neither a percentage nor a remaining time while the totals grow', () => {
    const { clock, progress, screen } = fixture({ columns: 80 });
    for (let second = 0; second < 10; second += 1) {
      const amounts = { files: second * 100, bytes: second * 1_000, scanned: 11_901 };
      progress.show('mirroring photos', amounts);
      clock.advance(1_000);
    }
    expect(screen().split('\n')).toEqual([
      'scanning… 11,901 files so far  900 done  9 kB  93 files/s',
      'mirroring photos',
    ]);
  });

  it('a command shows for a rescan the expected number of files and the remaining time', () => {
    const { clock, progress, screen } = fixture({ columns: 80 });
    const scan = { files: 20_000, foundFiles: 0, foundBytes: 0 };
    for (let second = 0; second <= 5; second += 1) {
      progress.show('mirroring photos', { files: 0, bytes: 0, scanned: second * 1_000, scan });
      clock.advance(1_000);
    }
    expect(screen().split('\n')).toEqual([
      expect.stringMatching(/^scanning… 5,000 of about 20,000 files {2}1\d s left$/),
      'mirroring photos',
    ]);
    const more = { scanned: 20_001, scan };
    progress.show('mirroring photos', { files: 0, bytes: 0, ...more });
    clock.advance(1_000);
    expect(screen()).toContain('scanning… 20,001 files so far\n');
  });

  it('a command includes the transfer of the files found so far in the remaining time of a rescan', () => {
    const { clock, progress, screen } = fixture({ columns: 100 });
    for (let second = 0; second <= 10; second += 1) {
      const bytes = second * 1e6;
      const scan = { files: 2_000, foundFiles: 0, foundBytes: bytes + 30e6 };
      progress.show('mirroring photos', { files: 0, bytes, scanned: second * 100, scan });
      clock.advance(1_000);
    }
    expect(screen()).toMatch(/^scanning… 1,000 of about 2,000 files .* 4\d s left\n/);
  });

  const MANY: Folder = { letters: 20_000, hasFilm: true };

  it('a command shows an expected number of files for several jobs only if each scanning job has one', () => {
    const [first, second] = [followedAt(MANY, 3), followedAt(MANY, 4)];
    const expecting = (followed: Followed): Followed => ({
      ...followed,
      ...(followed.transfers && { transfers: { ...followed.transfers, expected: 50_000 } }),
    });
    expect(jobProgress([expecting(first), expecting(second)]).amounts.scan).toMatchObject({
      files: 100_000,
    });
    expect(jobProgress([expecting(first), second]).amounts.scan).toBeUndefined();
  });

  it.each([
    [20, ' 24 % 17 s left', 'films/film.mp4'],
    [45, ' 24 % ━─────  250 MB/1 GB  17 s left', '25 % of 1 GB  films/film.mp4'],
    [
      60,
      ' 24 % ━─────  5/21 files  250 MB/1 GB  46.7 MB/s  17 s left',
      'mirroring photos  25 % of 1 GB  films/film.mp4',
    ],
    [
      80,
      ' 24 % ━━────────  5/21 files  250 MB/1 GB  46.7 MB/s  17 s left',
      'mirroring photos  25 % of 1 GB  films/film.mp4',
    ],
  ])('a command shortens the progress to fit %i columns', (columns, first, second) => {
    const { clock, progress, screen } = fixture({ columns });
    const totals = { totalFiles: 21, totalBytes: GIGABYTE };
    for (let step = 0; step <= 5; step += 1) {
      const bytes = step * 50e6;
      const amounts: Amounts = { files: step, bytes, ...totals, current: film(bytes) };
      progress.show('mirroring photos', amounts);
      clock.advance(1_000);
    }
    expect(screen().split('\n')).toEqual([first, second]);
  });

  it('a command shortens a long path in the middle and counts wide characters as two cells', () => {
    const { progress, screen } = fixture({ columns: 60 });
    const path = `${'写真/'.repeat(20)}holiday.mp4`;
    progress.show('restoring', {
      bytes: 0,
      totalBytes: GIGABYTE,
      current: { path, bytes: 0, sizeBytes: GIGABYTE },
    });
    const [, line = ''] = screen().split('\n');
    expect(line).toMatch(/^restoring {2}0 % of 1 GB {2}写真\/.*….*\/holiday\.mp4$/);
    expect(line.length + (line.match(/[写真]/g)?.length ?? 0)).toBeLessThan(60);
  });

  it('a command erases wrapped progress lines completely when the terminal becomes narrower', () => {
    const { clock, stderr, progress } = fixture({ columns: 120 });
    progress.show('restoring', { bytes: 50, totalBytes: 100, current: film(1) });
    clock.advance(5_000);
    Object.assign(stderr, { columns: 30 });
    stderr.text = '';
    progress.clear();
    // The first line has 49 cells and the second has 43, so that each takes two rows of 30 columns.
    expect(stderr.text).toBe('\u001b[3A\r\u001b[J');
  });

  it('a command escapes control characters in the path of the current file', () => {
    const { progress, stderr } = fixture({ columns: 80 });
    progress.show('restoring', {
      bytes: 0,
      totalBytes: 1,
      current: { path: 'a\u001b[2J', bytes: 0 },
    });
    expect(stderr.text).toContain('a\\x1b[2J');
  });
});

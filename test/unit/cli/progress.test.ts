import { stripVTControlCharacters } from 'node:util';

import { describe, expect, it, test } from 'vitest';

import { amountsText, fraction, Progress } from '../../../src/cli/output/progress.ts';
import { jobProgress } from '../../../src/cli/output/summary.ts';
import { FakeClock } from '../../helpers/fake-clock.ts';
import { jobStatus } from '../../helpers/job-status.ts';
import { CapturedSink } from '../../helpers/run-cli.ts';

const GIGABYTE = 1e9;

describe('amounts', () => {
  it('progress text shows what is done, the total, the rate and the remaining time', () => {
    const amounts = { files: 500, bytes: GIGABYTE, totalFiles: 1_000, totalBytes: 2 * GIGABYTE };
    expect(amountsText(amounts, 10_000)).toBe(
      '500 of 1,000 files, 1 GB of 2 GB, 100 MB/s, 10 s left',
    );
  });

  it('progress text shows the rate in files for small files', () => {
    const amounts = { files: 500, bytes: 5_000, totalFiles: 1_000, totalBytes: 10_000 };
    expect(amountsText(amounts, 10_000)).toBe(
      '500 of 1,000 files, 5 kB of 10 kB, 50 files/s, 10 s left',
    );
  });

  it('progress text shows the paths found while a restore lists them', () => {
    expect(amountsText({ files: 0, bytes: 0, listed: 12_300 }, 10_000)).toBe('12,300 paths found');
  });

  it('progress text omits unknown values', () => {
    expect(amountsText({ files: 2_113, bytes: GIGABYTE }, 10_000)).toBe('2,113 files, 1 GB');
    expect(amountsText({ bytes: 0, totalBytes: 10 }, 0)).toBe('0 B of 10 B');
    expect(amountsText({ bytes: 0, totalBytes: 10 }, 5_000)).toBe('0 B of 10 B, 0 B/s');
  });

  it('HOLDFAST_NO_PROGRESS, which --no-progress and --quiet set, shows no progress', () => {
    const [stderr, clock] = [new CapturedSink(80), new FakeClock()];
    const progress = new Progress({ stderr, clock, env: { HOLDFAST_NO_PROGRESS: '1' } });
    progress.show('copying', { bytes: 1, totalBytes: 2 });
    expect(stderr.text).toBe('');
  });

  it('the progress bar advances with each file, even an empty one', () => {
    expect(fraction({ files: 50, bytes: 0, totalFiles: 100, totalBytes: 0 })).toBe(0.5);
    expect(fraction({ files: 0, bytes: 0, totalFiles: 0, totalBytes: 0 })).toBe(1);
    expect(fraction({ bytes: 5 })).toBe(undefined);
  });
});

test('the progress bar counts the bytes of a large file while they are sent', () => {
  const counts = { pending: 1, pendingBytes: 1_000, uploadedBytes: 500 };
  const rates = { bytesPerSecond: 10, operationsPerSecond: 0 };
  const progress = { share: 0.5, remainingFiles: 1, remainingBytes: 400, etaMs: 40_000, ...rates };
  const job = jobStatus({ state: 'mirroring', inSync: false, counts, progress });
  expect(jobProgress([jobStatus()], [job])).toEqual({
    title: 'mirroring',
    amounts: { files: 0, totalFiles: 1, bytes: 1_100, totalBytes: 1_500, isGrowing: false },
  });
});

describe('progress', () => {
  const half = { bytes: 50, totalBytes: 100 };

  function fixture(columns?: number) {
    const clock = new FakeClock();
    const stderr = new CapturedSink(columns);
    return { clock, stderr, progress: new Progress({ clock, stderr, env: {} }) };
  }

  it('without a terminal, progress is printed as one line every five seconds', () => {
    const { clock, stderr, progress } = fixture();
    for (let second = 0; second <= 11; second += 1) {
      progress.show('mirroring', half);
      clock.advance(1_000);
    }
    progress.clear();
    expect(stderr.text.split('\n')).toEqual([
      'mirroring: 50 B of 100 B, 10 B/s, 5.0 s left',
      'mirroring: 50 B of 100 B, 5 B/s, 10 s left',
      '',
    ]);
  });

  it('progress on a terminal redraws one line at most eight times a second and removes it', () => {
    const { clock, stderr, progress } = fixture(80);
    progress.show('mirroring', half);
    progress.show('mirroring', half);
    clock.advance(125);
    progress.show('mirroring', half);
    progress.clear();
    progress.clear();
    expect(stderr.text.split('\r\u001b[K')).toEqual([
      '',
      expect.stringContaining('50 %'),
      expect.stringContaining('50 %'),
      '',
    ]);
  });

  it.each([
    [130, '20 of 21 files, 500 MB of 1 GB, 50 MB/s, '],
    [100, '20 of 21 files, 500 MB of 1 GB, 50 MB/s, '],
    [80, '500 MB of 1 GB, 50 MB/s, '],
    [60, '50 MB/s, '],
  ])(
    'progress on %i columns shows the remaining time and as much else as fits',
    (columns, rest) => {
      const { clock, stderr, progress } = fixture(columns);
      const amounts = { files: 20, totalFiles: 21, bytes: 500e6, totalBytes: 1e9 };
      clock.advance(10_000);
      progress.show('mirroring', amounts);
      const plain = stripVTControlCharacters(stderr.text).replaceAll('\r', '');
      expect(plain).toMatch(new RegExp(`%  mirroring  ${rest}[\\d.]+ s left$`));
    },
  );

  it('progress has no remaining time while the totals grow', () => {
    expect(amountsText({ bytes: 50, totalBytes: 100, isGrowing: true }, 10_000)).toBe(
      '50 B of 100 B, 5 B/s',
    );
  });

  it.each([20, 40, 80])('progress never exceeds the %i columns of the terminal', (columns) => {
    const { stderr, progress } = fixture(columns);
    progress.show('a-key-that-is-quite-long'.repeat(5), half);
    const plain = stripVTControlCharacters(stderr.text).replaceAll('\r', '');
    expect(plain.length).toBeLessThan(columns);
  });
});

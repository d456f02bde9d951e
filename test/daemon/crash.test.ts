import { describe, expect, it, test } from 'vitest';

import { crashRounds } from '../helpers/crash-rounds.ts';
import { killedRestores } from '../helpers/killed-restores.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Timeout of a test in milliseconds. It is long enough for a busy machine. */
const LONGEST_MS = 300_000;

describe('a daemon that is killed with SIGKILL at random times', () => {
  it(
    'SIGKILL at random times loses no acknowledged write, and the bucket finally matches the folder',
    { timeout: LONGEST_MS },
    async () => {
      const report = await crashRounds({
        folder: temporaryFolder('hf-crash'),
        rounds: 4,
        files: 1_000,
        writers: 3,
        seed: 2_026,
      });
      expect(report).toMatchObject({ lost: [], different: [], orphans: 0, problems: [] });
      expect(report.acknowledged).toBeGreaterThanOrEqual(1_000);
      expect(report.bulkKills).toBeGreaterThan(0);
    },
  );
});

test(
  'SIGKILL at random times during a restore leaves no incomplete file, and a later restore completes the folder',
  { timeout: LONGEST_MS },
  async () => {
    const folder = temporaryFolder('hf-restores');
    const report = await killedRestores({ folder, restores: 3, files: 600, seed: 2_026 });
    expect(report).toMatchObject({ wrong: [], different: [] });
    expect(report.killed).toBeGreaterThan(0);
  },
);

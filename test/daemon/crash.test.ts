import { describe, expect, it, test } from 'vitest';

import { crashRounds } from '../helpers/crash-rounds.ts';
import { killedRestores } from '../helpers/killed-restores.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

describe('a daemon killed with -9 at random moments', () => {
  it('kill -9 at random moments loses no acknowledged write, and finally the bucket matches the folder', async () => {
    const report = await crashRounds({
      folder: temporaryFolder('hf-crash'),
      rounds: 6,
      files: 1_500,
      writers: 3,
      seed: 2_026,
    });
    expect(report).toMatchObject({ lost: [], different: [], orphans: 0, problems: [] });
    expect(report.acknowledged).toBeGreaterThanOrEqual(1_500);
  });
});

test('kill -9 at random moments of a restore leaves no wrong file, and a later restore completes the folder', async () => {
  const folder = temporaryFolder('hf-restores');
  const report = await killedRestores({ folder, restores: 5, files: 600, seed: 2_026 });
  expect(report).toMatchObject({ wrong: [], different: [] });
  expect(report.killed).toBeGreaterThan(0);
});

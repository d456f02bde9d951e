import { describe, expect, it } from 'vitest';

import { crashRounds } from '../helpers/crash-rounds.ts';
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

/**
 * Property tests of the state file with random writes. `npm run test:mutations` checks that the
 * same properties detect defects.
 */

import * as fc from 'fast-check';
import { test } from 'vitest';

import { Commits } from '../../../src/mirror/state/commits.ts';
import { JournalTable } from '../../../src/mirror/state/journal-table.ts';
import { migrate } from '../../../src/mirror/state/state-schema.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import { STATE_LAWS } from '../../helpers/state-law.ts';

test.each(Object.entries(STATE_LAWS))('property: %s', async (_, law) => {
  await fc.assert(law({ Commits, JournalTable, migrate, openStateFile }), {
    numRuns: 15,
    ignoreEqualValues: true,
  });
});

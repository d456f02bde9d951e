/**
 * Tests of the record in the job's state that counts the verified bytes, and of records that
 * earlier releases wrote.
 */

import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readProof, verifiedShare } from '../../../src/verification/proof-record.ts';
import { openStateFile } from '../../../src/mirror/state/state-file.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('a job does not count bytes as verified that an earlier release only recorded as read', () => {
  const state = openStateFile(join(temporaryFolder('proof'), 'state.sqlite'));
  const pass = { startedAt: 0, after: 'd/f', files: 3, bytes: 500 };
  const before = { pass, lastPassStartedAt: 0, creditAt: 10, creditBytes: 7, damaged: ['x'] };
  state.setMeta('proof', JSON.stringify(before));
  const record = readProof(state, 20);
  state.close();
  expect(record).toMatchObject({ pass: { ...pass, soundBytes: 0 }, damaged: ['x'] });
  expect(verifiedShare(record, 1_000, { since: 0, now: 20 })).toBe(0);
});

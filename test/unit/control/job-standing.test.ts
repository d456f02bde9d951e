/** Tests of the text that describes the state of a job in the command line and the dashboard. */

import { expect, test } from 'vitest';

import {
  isWhollyInSync,
  nextCommand,
  nextStep,
  standingText,
} from '../../../src/control/job-standing.ts';
import { countText } from '../../../src/text/amounts.ts';
import { jobStatus } from '../../helpers/job-status.ts';

const held = { state: 'held', inSync: false } as const;

test.each<[string, Parameters<typeof jobStatus>[0], string | undefined]>([
  ['in sync', {}, undefined],
  ['in sync except for 1 conflict', { counts: { conflicts: 1 } }, 'holdfast conflict list photos'],
  [
    'in sync except for 3 conflicts, 2 problems',
    { inSync: false, counts: { conflicts: 3, held: 2, heldConflicts: 2, problems: 2 } },
    'holdfast conflict list photos',
  ],
  [
    'in sync except for 1 held change, 1,204 drifted objects',
    { inSync: false, counts: { held: 1, drifted: 1_204 } },
    'holdfast job review photos',
  ],
  [
    'in sync except for 57 rejected deletes',
    { brake: { rejectedOverwrites: 0, rejectedDeletes: 57 } },
    undefined,
  ],
  ['watching', { inSync: false }, undefined],
  ['mirroring', { state: 'mirroring', inSync: false, counts: { pending: 2 } }, undefined],
  ['held', { ...held, counts: { held: 80, conflicts: 1 } }, 'holdfast job review photos'],
  [
    'root missing',
    { state: 'root missing', inSync: false, counts: { conflicts: 1 } },
    'holdfast job accept-root photos',
  ],
])('Holdfast describes the state of a job as: %s', (text, changes, command) => {
  const job = jobStatus(changes);
  expect(standingText(job, countText)).toBe(text);
  expect(isWhollyInSync(job)).toBe(text === 'in sync');
  const step = nextStep(job);
  const isSuggested = command?.includes('accept-root') === false;
  expect(nextCommand(job)).toBe(isSuggested ? command : undefined);
  expect(command === undefined ? step : step?.includes(`\`${command}\``)).toBe(
    command === undefined ? undefined : true,
  );
});

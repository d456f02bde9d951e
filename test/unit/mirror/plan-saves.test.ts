/** Tests of the hints that a full round takes while it runs. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { runningRound } from '../../helpers/running-round.ts';

test('leaves a file that is excluded by now to the next round, and does not look at it again and again', async () => {
  const { agenda, write, plan } = runningRound();
  write('excluded');
  write('saved');
  expect(await plan()).toEqual(['saved']);
  expect(agenda.hintsDueIn()).toBeUndefined();
  expect([...agenda.takeHints().keys()]).toEqual(['excluded']);
});

test('leaves a file that vanished to the next round', async () => {
  const { root, agenda, write, plan } = runningRound();
  write('vanished');
  rmSync(join(root, 'vanished'));
  expect(await plan()).toEqual([]);
  expect(agenda.hintsDueIn()).toBeUndefined();
  expect([...agenda.takeHints().keys()]).toEqual(['vanished']);
});

test('remembers the saved files of the folder that is being planned, and no others', async () => {
  const { round, write, plan, planNext } = runningRound();
  for (const path of ['a', 'b']) write(path);
  expect(await plan()).toEqual(['a', 'b']);
  expect([...(round.saved ?? [])]).toEqual(['a', 'b']);
  await planNext();
  expect(round.saved?.size).toBe(0);
});

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

test('plans no saved files while too many of them wait for their turn', async () => {
  const { agenda, write, plan } = runningRound({ isFull: true });
  write('saved');
  expect(await plan()).toEqual([]);
  expect([...agenda.hints()]).toEqual(['saved']);
});

test('plans a file each time it is saved', async () => {
  const { write, plan } = runningRound();
  write('a');
  expect(await plan()).toEqual(['a']);
  write('a');
  expect(await plan()).toEqual(['a']);
});

test('does not plan the listed state of a file that was saved since its folder was listed', async () => {
  const { write, plan, planListed } = runningRound();
  write('a');
  expect(await plan()).toEqual(['a']);
  expect(await planListed('a')).toEqual([]);
  expect(await planListed('b')).toEqual(['b']);
});

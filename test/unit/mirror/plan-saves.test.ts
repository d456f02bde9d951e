/** Tests that a running full sync round also uploads files that are saved meanwhile. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { runningRound } from '../../helpers/running-round.ts';

test('a running sync round leaves a saved file that is now excluded to the next round and does not check it repeatedly', async () => {
  const { agenda, write, plan } = runningRound();
  write('excluded');
  write('saved');
  expect(await plan()).toEqual(['saved']);
  expect(agenda.hintsDueIn()).toBeUndefined();
  expect([...agenda.takeHints().keys()]).toEqual(['excluded']);
});

test('a running sync round leaves a saved file that was deleted meanwhile to the next round', async () => {
  const { root, agenda, write, plan } = runningRound();
  write('vanished');
  rmSync(join(root, 'vanished'));
  expect(await plan()).toEqual([]);
  expect(agenda.hintsDueIn()).toBeUndefined();
  expect([...agenda.takeHints().keys()]).toEqual(['vanished']);
});

test('a sync round remembers only the saved files of the folder that the round is planning', async () => {
  const { round, write, plan, planNext } = runningRound();
  for (const path of ['a', 'b']) write(path);
  expect(await plan()).toEqual(['a', 'b']);
  expect([...(round.saved ?? [])]).toEqual(['a', 'b']);
  await planNext();
  expect(round.saved?.size).toBe(0);
});

test('a sync round plans no saved files while too many of them wait in the queue', async () => {
  const { agenda, write, plan } = runningRound({ isFull: true });
  write('saved');
  expect(await plan()).toEqual([]);
  expect([...agenda.hints()]).toEqual(['saved']);
});

test('a sync round plans an upload each time a file is saved', async () => {
  const { write, plan } = runningRound();
  write('a');
  expect(await plan()).toEqual(['a']);
  write('a');
  expect(await plan()).toEqual(['a']);
});

test('a sync round ignores the older listed state of a file that was saved after its folder was listed', async () => {
  const { write, plan, planListed } = runningRound();
  write('a');
  expect(await plan()).toEqual(['a']);
  expect(await planListed('a')).toEqual([]);
  expect(await planListed('b')).toEqual(['b']);
});

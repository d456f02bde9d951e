import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { minimised, slowestInput, type SearchOptions } from '../../helpers/fuzz/slow-search.ts';
import type { FuzzInput, FuzzTarget, Run } from '../../helpers/fuzz/target.ts';
import { randomFrom } from '../../helpers/tree.ts';

const MAX_RUNS = 1_500;
const BUDGET_MS = 10;

const target: FuzzTarget = {
  name: 'planted',
  budgetMs: BUDGET_MS,
  fields: {
    list: { valid: fc.constant('[a,b]'), tokens: ['a,'], maxLength: 3_000 },
    text: { valid: fc.constant('xy'), maxLength: 1_000 },
  },
  prepare: () => () => undefined,
};

/** Returns options of a search that uses the costs of the test instead of CPU time. */
function searchWith(costOf: (input: FuzzInput) => number, outcomeOf = () => 'accepted') {
  let runs = 0;
  const run = (input: FuzzInput): Promise<Run> => {
    runs += 1;
    return Promise.resolve({ costMs: costOf(input), outcome: outcomeOf() });
  };
  const options: SearchOptions = {
    seed: 1,
    random: randomFrom(1),
    run,
    isOver: () => runs > MAX_RUNS,
  };
  return options;
}

const elements = ({ list = '' }: FuzzInput) => list.split(',').length;

/** Returns the cost of comparing each element of a list with a text. */
const product = (input: FuzzInput) => (elements(input) * (input['text'] ?? '').length) / 10_000;

test('the search for slow inputs finds an input that is slow only if two fields are long', async () => {
  const found = await slowestInput(target, searchWith(product));
  expect(found.costMs).toBeGreaterThan(BUDGET_MS);
  expect(found.input['list']?.length).toBeLessThanOrEqual(3_000);
  expect(found.input['text']?.length).toBeLessThanOrEqual(1_000);
});

test('the search for slow inputs finds no input above the time budget if the cost is bounded', async () => {
  const found = await slowestInput(
    target,
    searchWith((input) => Math.min(product(input), 5)),
  );
  expect(found.costMs).toBe(5);
});

test('the search for slow inputs ignores a single slow run of a fast input', async () => {
  let runs = 0;
  const found = await slowestInput(
    target,
    searchWith(() => (++runs % 3 === 0 ? 100 : 1)),
  );
  expect(found.costMs).toBe(1);
});

test('the search for slow inputs shortens an input to the shortest one that exceeds the time budget', async () => {
  const input = { list: `[${'a,'.repeat(1_000)}b]`, text: 'x'.repeat(900) };
  const options = { ...searchWith(product), isOver: () => false };
  const shorter = await minimised(input, BUDGET_MS, options);
  expect(product(shorter)).toBeGreaterThan(BUDGET_MS);
  for (const name of ['list', 'text']) {
    const text = shorter[name as 'list'];
    expect(product({ ...shorter, [name]: text?.replace(/[x,]/, '') ?? '' })).toBeLessThanOrEqual(
      BUDGET_MS,
    );
  }
});

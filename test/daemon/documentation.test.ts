/**
 * Tests that the command blocks of the README work as printed. `npm run test:docs` tests the
 * command blocks of all pages.
 */

import { afterAll, beforeAll, expect, test } from 'vitest';

import { blocksOf } from '../docs/pages.ts';
import { missingTools, openSession } from '../docs/session.ts';
import type { Session } from '../docs/session.ts';

const PAGE = 'README.md';
const blocks = blocksOf(PAGE).filter(
  (block) => block.notRun === undefined && missingTools(block).length === 0,
);

let session: Session;
beforeAll(async () => {
  session = await openSession();
});
afterAll(() => session.close());

// Each command block depends on the blocks before it, so the blocks run in the order of the page.
test.each(blocks)('the command block at $page:$line works as documented', async (block) => {
  expect(await session.run(block)).not.toContain('holdfast: ');
});

test('the documentation tests run at least half of the command blocks of the README', () => {
  expect(blocks.length).toBeGreaterThanOrEqual(blocksOf(PAGE).length / 2);
});

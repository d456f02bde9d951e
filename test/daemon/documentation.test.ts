/** The command blocks of the README are run as they stand there. `npm run test:docs` runs those of all pages. */

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

// They build on each other, as a reader takes them.
test.each(blocks)('$page:$line does what it says', async (block) => {
  expect(await session.run(block)).not.toContain('holdfast: ');
});

test('most of them are run', () => {
  expect(blocks.length).toBeGreaterThan(blocksOf(PAGE).length / 2);
});

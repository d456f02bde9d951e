/**
 * `npm run test:docs [-- --only locks,people]`: runs the command blocks of the documentation page
 * by page, and then the examples in the help (`--only help`). It lists the blocks that are not run,
 * with the reason. The exit code is 1 if a block failed.
 */

import { parseArgs } from 'node:util';

import { errorMessage } from '../../src/base/errors.ts';
import { helpBlocks } from './help-page.ts';
import { blocksOf, PAGES } from './pages.ts';
import type { Block } from './pages.ts';
import { missingTools, openSession } from './session.ts';
import type { Session } from './session.ts';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const names = values.only.split(',');
const pages = PAGES.filter((page) => names.some((name) => page.includes(name)));
let [ran, failed, passedOver] = [0, 0, 0];

for (const page of pages) await tryBlocks(blocksOf(page));
if (names.some((name) => 'help'.includes(name))) await tryBlocks(await helpBlocks());
process.stdout.write(`\n${ran} ran, ${failed} failed, ${passedOver} not run\n`);
process.exitCode = failed > 0 ? 1 : 0;

async function tryBlocks(blocks: readonly Block[]): Promise<void> {
  if (blocks.length === 0) return;
  const session = await openSession();
  try {
    for (const block of blocks) await tryBlock(block, session);
  } finally {
    await session.close();
  }
}

async function tryBlock(block: Block, session: Session): Promise<void> {
  const why = reasonNot(block);
  if (why !== undefined) {
    passedOver++;
    return report('not run', block, why);
  }
  try {
    await session.run(block);
    ran++;
    report('ok', block);
  } catch (error) {
    failed++;
    report('FAILED', block, errorMessage(error));
  }
}

function reasonNot(block: Block): string | undefined {
  const missing = missingTools(block);
  return block.notRun ?? (missing.length > 0 ? `missing: ${missing.join(', ')}` : undefined);
}

function report(result: string, { page, line }: Block, detail = ''): void {
  const place = `${page}:${line}`;
  process.stdout.write(`${result.padEnd(8)}${place.padEnd(40)}${detail}\n`);
}

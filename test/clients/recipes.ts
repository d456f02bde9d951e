/** Runs the recipes of docs/how-to/interoperability.md exactly as the page prints them. */

import { errorMessage } from '../../src/base/errors.ts';
import { blocksOf } from '../docs/pages.ts';
import { missingTools, openSession } from '../docs/session.ts';
import type { Finding } from './lane.ts';

const PAGE = 'docs/how-to/interoperability.md';
const LANE = { client: 'recipes', transport: 'http' } as const;

export async function checkRecipes(
  onFinding: (finding: Finding) => void,
  signal: AbortSignal,
): Promise<void> {
  const session = await openSession();
  try {
    // The recipes depend on each other, so they run in the order of the page.
    for (const block of blocksOf(PAGE)) {
      if (signal.aborted) return;
      const claim = `${PAGE}:${block.line} does what it says`;
      const missing = missingTools(block);
      const why =
        block.notRun ?? (missing.length > 0 ? `missing: ${missing.join(', ')}` : undefined);
      if (why === undefined) onFinding(await tried(claim, () => session.run(block)));
      else onFinding({ ...LANE, claim, result: 'skipped', seconds: 0, detail: why });
    }
  } finally {
    await session.close();
  }
}

async function tried(claim: string, run: () => Promise<string>): Promise<Finding> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  try {
    await run();
    return { ...LANE, claim, result: 'ok', seconds: seconds() };
  } catch (error) {
    const detail = errorMessage(error);
    return { ...LANE, claim, result: 'failed', seconds: seconds(), detail };
  }
}

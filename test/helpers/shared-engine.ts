/**
 * Opens one engine for all tests of a file, because the start of its thread takes longer than most
 * tests of the mirror. Each test must create its own buckets.
 */

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { type Engine, openEngine } from '../../src/engine/engine.ts';
import { prepareStore } from './prepared-files.ts';
import { removeFolder } from './temporary-folder.ts';

/** Sizes with which a job sends a file of 17 / 8 MiB as a multipart upload of three parts. */
export const SMALL_PARTS = { multipartFromBytes: 2 * 1024 ** 2, partBytes: 1024 ** 2 };

/** More buckets than a test file creates. */
const MAX_BUCKETS = 10_000;

interface Shared {
  readonly dir: string;
  readonly engine: Promise<Engine>;
}

let shared: Shared | undefined;

/** Returns the engine of the test file. Opens it for the first test that needs it. */
export function sharedEngine(): Promise<Engine> {
  shared ??= openShared();
  return shared.engine;
}

/** Closes the engine of the test file and removes its store. */
export async function closeSharedEngine(): Promise<void> {
  const closing = shared;
  shared = undefined;
  if (!closing) return;
  await (await closing.engine).close();
  removeFolder(closing.dir);
}

function openShared(): Shared {
  const dir = mkdtempSync(join(tmpdir(), 'shared-store-'));
  prepareStore(dir);
  const engine = openEngine({
    dir,
    clock: systemClock,
    logger: silentLogger,
    region: 'us-east-1',
    quotas: { bucketsPerProject: MAX_BUCKETS, minBytesPerPart: SMALL_PARTS.partBytes },
  });
  return { dir, engine };
}

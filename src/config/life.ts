/**
 * Records the start and end of the daemon in its home folder, so that commands can report how the last daemon ended.
 */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { failureReason } from '../base/disk-error.ts';
import { errorCode } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { once } from '../base/once.ts';
import type { Home } from './home.ts';
import { writeAtomically } from './write-atomically.ts';

const lifeSchema = once(() =>
  z.object({
    pid: z.number(),
    version: z.string(),
    /** When the daemon started. All times in this record are in milliseconds since 1970. */
    startedAt: z.number(),
    /** When the daemon stopped. Absent while it runs, and if it did not shut down cleanly. */
    stoppedAt: z.number().optional(),
    /** Why the daemon stopped, such as `requested by the user`. */
    reason: z.string().optional(),
  }),
);

export type Life = z.infer<ReturnType<typeof lifeSchema>>;

type Place = Pick<Home, 'stateDir' | 'logFile'>;

function fileOf({ stateDir }: Place): string {
  return join(stateDir, 'daemon.json');
}

/** Writes the record durably. If that fails, only logs a warning, so that the daemon works even if the disk is full. */
export async function noteLife(place: Place, life: Life, logger: Logger): Promise<void> {
  try {
    await writeAtomically(fileOf(place), `${JSON.stringify(life)}\n`);
  } catch (error) {
    const fields = { error: failureReason(error) };
    logger.warn(fields, 'daemon: cannot write the record of its start and stop');
  }
}

/** Returns the record of the last daemon. Returns undefined if the record does not exist or cannot be read. */
export function readLife(place: Place): Life | undefined {
  try {
    return lifeSchema().safeParse(JSON.parse(readFileSync(fileOf(place), 'utf8'))).data;
  } catch (error) {
    if (errorCode(error) === undefined && !(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/**
 * Returns when the daemon last wrote to its log, in milliseconds since 1970. Returns undefined if the log does not
 * exist.
 */
export function lastSignOfLife({ logFile }: Place): number | undefined {
  const stats = statSync(logFile, { throwIfNoEntry: false });
  return stats && Math.round(stats.mtimeMs);
}

/**
 * Returns the process ID and the last log entry of a daemon that did not shut down cleanly. Returns undefined after a
 * clean shutdown.
 */
export function lastCrash(place: Place): { pid: number; lastEntry: string } | undefined {
  const life = readLife(place);
  if (life === undefined || life.stoppedAt !== undefined) return undefined;
  const lastEntry = new Date(lastSignOfLife(place) ?? life.startedAt).toISOString();
  return { pid: life.pid, lastEntry };
}

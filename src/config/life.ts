/** A record of the daemon's life in its home, by which commands say how the last one ended. */

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
    /** Milliseconds since 1970, as all times here. */
    startedAt: z.number(),
    /** Absent while it runs, and of one that did not stop in order. */
    stoppedAt: z.number().optional(),
    /** Why it stopped: `asked by the user`, … */
    reason: z.string().optional(),
  }),
);

export type Life = z.infer<ReturnType<typeof lifeSchema>>;

type Place = Pick<Home, 'stateDir' | 'logFile'>;

function fileOf({ stateDir }: Place): string {
  return join(stateDir, 'daemon.json');
}

/** Durable when it resolves. A disk that takes no record keeps no daemon from its work: the log says so. */
export async function noteLife(place: Place, life: Life, logger: Logger): Promise<void> {
  try {
    await writeAtomically(fileOf(place), `${JSON.stringify(life)}\n`);
  } catch (error) {
    const fields = { error: failureReason(error) };
    logger.warn(fields, 'daemon: the record of its life could not be written');
  }
}

/** Undefined where no daemon has left a record, or none that can be read. */
export function readLife(place: Place): Life | undefined {
  try {
    return lifeSchema().safeParse(JSON.parse(readFileSync(fileOf(place), 'utf8'))).data;
  } catch (error) {
    if (errorCode(error) === undefined && !(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** When a daemon that did not stop in order last wrote to its log. */
export function lastSignOfLife({ logFile }: Place): number | undefined {
  const stats = statSync(logFile, { throwIfNoEntry: false });
  return stats && Math.round(stats.mtimeMs);
}

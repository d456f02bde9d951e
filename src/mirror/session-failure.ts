/** How a job stands still when its session has failed, and how long it rests before the next one. */

import { errorMessage } from '../base/errors.ts';
import { MirrorError } from './mirror-error.ts';
import { backOffMs } from './perform/failures.ts';
import type { Standstill } from './status.ts';

const FIRST_RETRY_MS = 500;
export const LONGEST_RETRY_MS = 60_000;
/** A disk that is plugged in again is noticed soon. */
const ROOT_LOOK_MS = 5_000;

export interface SessionFailure {
  readonly reason: string;
  readonly standstill: Standstill;
  readonly waitMs: number;
  /** The folder is missing, or another one. */
  readonly isRoot: boolean;
}

/** `failures`: sessions that failed since the last round, with this one. */
export function describeFailure(error: unknown, failures: number): SessionFailure {
  const code = error instanceof MirrorError ? error.code : undefined;
  const reason = errorMessage(error);
  if (code === 'RootMissing') {
    const standstill = { state: 'root missing', reason } as const;
    return { reason, standstill, waitMs: ROOT_LOOK_MS, isRoot: true };
  }
  const waitMs = backOffMs(failures, LONGEST_RETRY_MS, FIRST_RETRY_MS);
  if (code === 'ClockDiffers')
    return { reason, standstill: { state: 'clock', reason }, waitMs, isRoot: false };
  const tried = `${reason}; tried again in ${Math.ceil(waitMs / 1_000)} s`;
  return { reason, standstill: { state: 'failed', reason: tried }, waitMs, isRoot: false };
}

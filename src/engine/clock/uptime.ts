/**
 * Reads how long the machine has been up, including sleep. Unlike the wall clock, the uptime cannot be set by a user.
 */

import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

import { errorCode } from '../../base/errors.ts';

export interface Uptime {
  /** The boot ID, which changes at each start of the machine. */
  readonly id: string;
  readonly upMs: number;
}

export type ReadUptime = () => Uptime | undefined;

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/**
 * Returns the uptime and the boot ID. Returns undefined if the boot ID cannot be read, as on systems other than Linux.
 */
export function readUptime(): Uptime | undefined {
  try {
    return { id: readFileSync(BOOT_ID, 'utf8').trim(), upMs: uptime() * 1000 };
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

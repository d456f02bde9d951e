/** How long this machine has been up, asleep or not: the one clock of it that nobody sets. */

import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';

import { errorCode } from '../../base/errors.ts';

export interface Uptime {
  /** Names this start of the machine. */
  readonly id: string;
  readonly upMs: number;
}

export type ReadUptime = () => Uptime | undefined;

const BOOT_ID = '/proc/sys/kernel/random/boot_id';

/** Undefined where the system does not tell one start from another: anywhere but on Linux. */
export function readUptime(): Uptime | undefined {
  try {
    return { id: readFileSync(BOOT_ID, 'utf8').trim(), upMs: uptime() * 1000 };
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** How long this machine has been up, including sleep: its only clock that cannot be set. */

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

/** Undefined if the system has no id for each boot: on every system but Linux. */
export function readUptime(): Uptime | undefined {
  try {
    return { id: readFileSync(BOOT_ID, 'utf8').trim(), upMs: uptime() * 1000 };
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined;
  }
}

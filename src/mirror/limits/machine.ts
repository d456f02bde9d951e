/** Reads the machine's power and network state. Both are known only on Linux. */

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Clock } from '../../base/clock.ts';

export interface Machine {
  /** Returns whether the machine runs on battery; undefined if unknown. */
  isOnBattery(): boolean | undefined;
  /** Returns whether the network connection was metered at the last query; undefined if unknown. */
  isMetered(): boolean | undefined;
}

const POWER_SUPPLIES = '/sys/class/power_supply';
/** Minimum time between two queries of the network state, in milliseconds, because each query starts a process. */
const ASK_NETWORK_EVERY_MS = 30_000;
const ANSWER_WITHIN_MS = 5_000;
/** Values of NetworkManager's NMMetered for a metered network: 1 means yes, 3 means probably yes. */
const METERED: ReadonlySet<string> = new Set(['1', '3']);
const UNMETERED: ReadonlySet<string> = new Set(['2', '4']);
const NETWORK = ['org.freedesktop.NetworkManager', '/org/freedesktop/NetworkManager'];
const ASK = ['--system', 'get-property', ...NETWORK, 'org.freedesktop.NetworkManager', 'Metered'];

/** Reads power supplies from sysfs, and asks NetworkManager through `busctl`. */
export class LinuxMachine implements Machine {
  readonly #clock: Clock;
  readonly #supplies: string;
  readonly #ask: () => Promise<string>;
  #metered: boolean | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, supplies = POWER_SUPPLIES, ask = askNetworkManager) {
    this.#clock = clock;
    this.#supplies = supplies;
    this.#ask = ask;
  }

  isOnBattery(): boolean | undefined {
    const supplies = this.#names().map((name) => (fact: string) => this.#fact(name, fact));
    // Batteries of peripherals, such as a mouse, have the scope `Device` and are ignored.
    const own = supplies.filter((fact) => fact('scope') !== 'Device');
    if (own.some((fact) => fact('online') === '1')) return false;
    const batteries = own.filter((fact) => fact('type') === 'Battery');
    return batteries.length === 0
      ? undefined
      : batteries.some((fact) => fact('status') === 'Discharging');
  }

  /** Returns the last known state and refreshes it in the background, so that the caller never waits. */
  isMetered(): boolean | undefined {
    const now = this.#clock.monotonic();
    if (now - this.#askedAt >= ASK_NETWORK_EVERY_MS) {
      this.#askedAt = now;
      void this.#ask().then(
        (answer) => (this.#metered = readMetered(answer)),
        () => (this.#metered = undefined),
      );
    }
    return this.#metered;
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.#supplies);
    } catch {
      return [];
    }
  }

  #fact(name: string, fact: string): string | undefined {
    try {
      return readFileSync(join(this.#supplies, name, fact), 'utf8').trim();
    } catch {
      return undefined;
    }
  }
}

/** Parses `busctl` output such as `u 4`. */
function readMetered(answer: string): boolean | undefined {
  const value = answer.trim().split(' ').at(-1) ?? '';
  if (METERED.has(value)) return true;
  return UNMETERED.has(value) ? false : undefined;
}

async function askNetworkManager(): Promise<string> {
  const { stdout } = await promisify(execFile)('busctl', ASK, { timeout: ANSWER_WITHIN_MS });
  return stdout;
}

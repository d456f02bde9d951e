/** Causes random failures around a running job: killed processes, network faults, clock jumps and a full disk. */

import { systemClock } from '../../src/base/clock.ts';
import type { Dice } from './dice.ts';
import type { History } from './history.ts';
import type { Machines } from './machines.ts';
import { TROUBLES } from './rough-network.ts';
import type { SmallDisk } from './small-disk.ts';

export interface ChaosOptions {
  readonly machines: Machines;
  readonly dice: Dice;
  readonly history: History;
  readonly disk: SmallDisk | undefined;
  /** The average time between two failures, in milliseconds. */
  readonly everyMs: number;
}

const MINUTE_MS = 60_000;
const JUMPS_MINUTES = [-90, -10, -1, 1, 5, 14, 20, 120];
/**
 * The clock jumps, in minutes, for a store in the daemon's process: jumps back, and jumps ahead by more than an hour. A
 * shorter jump ahead would move the store's clock forward permanently, because that clock does not go back. Versions
 * and files would then have different times. After a longer jump, the store corrects the version dates as soon as the
 * clock is right again.
 */
const STORE_JUMPS_MINUTES = JUMPS_MINUTES.filter((minutes) => minutes < 0 || minutes > 60);

/**
 * Causes one failure after the other until the signal is aborted. Each failure has ended when this function returns.
 */
export async function wreakHavoc(options: ChaosOptions, signal: AbortSignal): Promise<void> {
  const { machines, dice, everyMs } = options;
  while (!signal.aborted) {
    await pause(dice.between(0.2, 1.8) * everyMs, signal);
    if (signal.aborted) return;
    const trouble = dice.weighed({
      kill: 4,
      'kill service': machines.network ? 1.5 : 0,
      network: machines.network ? 4 : 0,
      clock: 1.5,
      disk: options.disk ? 1.5 : 0,
    });
    await TROUBLE[trouble](options, signal);
  }
}

type Make = (options: ChaosOptions, signal: AbortSignal) => Promise<void>;

const TROUBLE: Readonly<Record<'kill' | 'kill service' | 'network' | 'clock' | 'disk', Make>> = {
  async kill({ machines, dice, history }, signal) {
    history.add('chaos', 'kill -9 the daemon');
    await machines.kill();
    await pause(dice.between(0, 300), signal);
    await machines.start();
    history.add('chaos', 'the daemon is up');
  },
  async 'kill service'({ machines, dice, history }, signal) {
    history.add('chaos', 'kill -9 the service');
    await machines.killService();
    await pause(dice.between(0, 800), signal);
    await machines.startService();
    history.add('chaos', 'the service is up');
  },
  async network({ machines, dice, history }, signal) {
    const trouble = dice.pick(TROUBLES);
    history.add('chaos', `network: ${trouble}`);
    machines.network?.set(trouble);
    await pause(dice.between(50, 1_500), signal);
    machines.network?.set(undefined);
  },
  async clock({ machines, dice, history }, signal) {
    const minutes = dice.pick(machines.network ? JUMPS_MINUTES : STORE_JUMPS_MINUTES) ?? 0;
    history.add('chaos', `clock: ${minutes} minutes off`);
    machines.setClock(minutes * MINUTE_MS);
    await pause(dice.between(200, 2_000), signal);
    if (dice.below(2) === 0) machines.setClock(0);
  },
  async disk({ dice, history, disk }, signal) {
    const freeBytes = dice.below(4) * 100_000;
    history.add('chaos', `disk: ${freeBytes} bytes free`);
    disk?.fill(freeBytes);
    await pause(dice.between(200, 2_000), signal);
    disk?.free();
    history.add('chaos', 'disk: room again');
  },
};

/** Waits. Returns early, without an error, if the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await systemClock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

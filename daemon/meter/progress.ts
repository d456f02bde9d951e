/** Calculates the progress of a job from its pending changes and its transfers. */

import { DAY_MS } from '../../src/base/durations.ts';
import { defined } from '../../src/base/defined.ts';
import type { JobStatus } from '../../src/control/shapes.ts';
import type { MirrorStatus } from '../../src/mirror/mirror.ts';
import type { JobMeter } from './job-meter.ts';

/**
 * The longest remaining time that is reported. A longer estimate only shows that the rate at the start
 * of a transfer is not representative.
 */
const MOST_ETA_MS = 100 * DAY_MS;

export function progressOf(
  { counts }: Pick<MirrorStatus, 'counts'>,
  meter: JobMeter,
  isLooking: boolean,
): JobStatus['progress'] {
  const { bytes, files, pending, pendingBytes } = counts;
  if (pending === 0) return undefined;
  const sent = meter.transfers().filter(({ kind }) => kind === 'put');
  const sentBytes = sent.reduce((sum, each) => sum + each.sentBytes, 0);
  const remainingBytes = Math.max(0, pendingBytes - sentBytes);
  const [done, all] =
    bytes + pendingBytes > 0
      ? [bytes + pendingBytes - remainingBytes, bytes + pendingBytes]
      : [files, files + pending];
  const rates = meter.rates.average();
  const isKnown = !isLooking && remainingBytes > 0 && rates.bytesPerSecond > 0;
  const atThisRate = (remainingBytes / rates.bytesPerSecond) * 1000;
  const etaMs = isKnown && atThisRate <= MOST_ETA_MS ? atThisRate : undefined;
  return {
    share: done / all,
    remainingFiles: pending,
    remainingBytes,
    ...rates,
    ...defined({ etaMs }),
  };
}

/** Implements `holdfast restore` while no daemon runs. The command opens the embedded store itself. */

import { randomUUID } from 'node:crypto';

import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import type { Report, Request } from './restore.ts';

/** Restores from the embedded store. Returns undefined if no jobs are configured. */
export async function restoreOffline(
  context: Context,
  request: Request,
): Promise<Report | undefined> {
  const { offlineRestore } = await import('../../../../daemon/offline/offline-restore.ts');
  const { clock, stderr } = context.io;
  const interrupts = catchInterrupts(stderr);
  try {
    const place = { home: await context.home(), clock, signal: interrupts.signal };
    return await offlineRestore(place, { ...request, id: randomUUID() });
  } finally {
    interrupts.release();
  }
}

/**
 * Implements `holdfast restore` while no daemon is running. The command opens the embedded store itself.
 */

import { randomUUID } from 'node:crypto';

import type { DaemonEvent } from '../../../control/messages.ts';
import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { Progress } from '../../output/progress.ts';
import type { Source } from './ask/source.ts';
import { type Report, type Request, RESTORING, showRestore } from './restore.ts';

/** Restores from the embedded store. Returns undefined if no jobs are configured. */
export async function restoreOffline(
  context: Context,
  request: Request,
): Promise<Report | undefined> {
  const { offlineRestore } = await import('../../../../daemon/offline/offline-restore.ts');
  const { clock, stderr } = context.io;
  const interrupts = catchInterrupts(stderr);
  const progress = new Progress(context);
  try {
    const place = {
      home: await context.home(),
      clock,
      signal: interrupts.signal,
      onProgress: (event: DaemonEvent['event']) => {
        if (event.type === 'restore.progress') showRestore(progress, event);
      },
    };
    progress.start(RESTORING);
    return await offlineRestore(place, { ...request, id: randomUUID() });
  } finally {
    progress.end();
    interrupts.release();
  }
}

/** Opens the embedded store to read the versions of a job. The caller closes it. */
export async function openOffline(context: Context, job: string): Promise<Source> {
  const { openOfflineReader } = await import('../../../../daemon/offline/offline-restore.ts');
  const place = {
    home: await context.home(),
    clock: context.io.clock,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
  const reader = await openOfflineReader(place, { job });
  // `reader` is undefined only if all jobs were removed from the configuration in the meantime. `connect` then reports
  // that no daemon is running.
  return reader ?? context.connect();
}

/**
 * Implements `holdfast admin store`. If a daemon is running, it uses the daemon. Otherwise it opens the folder of the
 * store.
 */

import { randomUUID } from 'node:crypto';

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Params, Result } from '../../../control/messages.ts';
import { EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { Progress } from '../../output/progress.ts';
import { checkLines, problemCount, repairLines, wouldLines } from '../../output/store-text.ts';
import { durationText } from '../../../text/time.ts';

export interface StoreCheckOptions {
  readonly deep?: boolean;
}

export interface StoreRepairOptions extends StoreCheckOptions {
  readonly dryRun?: boolean;
  readonly acceptMetadata?: boolean;
}

export async function storeCheck(
  context: Context,
  typed: string | undefined,
  { deep = false }: StoreCheckOptions,
): Promise<ExitCode> {
  const check = await callStore(context, { typed }, 'store.check', { deep, id: randomUUID() });
  if (context.json) await context.out.json(check);
  else {
    const lines = checkLines(check, context.out.paint);
    const hint = '  run `holdfast admin store repair --dry-run` for what can be done';
    await context.out.prose(...lines, ...(problemCount(check) > 0 ? [hint] : []));
  }
  return problemCount(check) > 0 ? EXIT.attention : EXIT.ok;
}

export async function storeRepair(
  context: Context,
  typed: string | undefined,
  { deep = false, dryRun = false, acceptMetadata = false }: StoreRepairOptions,
): Promise<ExitCode> {
  if (dryRun) return wouldRepair(context, typed, deep);
  const place = { typed, acceptMetadata };
  const report = await callStore(context, place, 'store.repair', { deep, id: randomUUID() });
  if (context.json) await context.out.json(report);
  else await context.out.lines(...repairLines(report, context.out.paint));
  // `bytes-lost` is not included, because the check after the repair reports a problem if the bytes are still missing.
  const isLost = report.done.some(({ code }) => code === 'object-lost' || code === 'bucket-lost');
  return isLost || problemCount(report.after) > 0 ? EXIT.attention : EXIT.ok;
}

async function wouldRepair(
  context: Context,
  typed: string | undefined,
  deep: boolean,
): Promise<ExitCode> {
  const check = await callStore(context, { typed }, 'store.check', { deep, id: randomUUID() });
  if (context.json) await context.out.json(check);
  else await context.out.lines(...checkLines(check, context.out.paint), ...wouldLines(check));
  return problemCount(check) > 0 ? EXIT.attention : EXIT.ok;
}

export async function trustClock(context: Context): Promise<void> {
  const result = await callStore(context, {}, 'store.trustClock', {});
  if (context.json) return context.out.json(result);
  const { clockAheadMs } = result;
  await context.out.lines(
    clockAheadMs === 0
      ? 'the clock was trusted already'
      : `the clock is trusted again: it was ${durationText(clockAheadMs)} ahead of the trusted time`,
  );
}

type StoreMethod = 'store.check' | 'store.repair' | 'store.trustClock';

interface Place {
  /**
   * The folder of a store that the user specified. The command opens it itself, because it is not the daemon's store.
   */
  readonly typed?: string | undefined;
  readonly acceptMetadata?: boolean;
}

async function callStore<M extends StoreMethod>(
  context: Context,
  place: Place,
  method: M,
  params: Params<M>,
): Promise<Result<M>> {
  const progress = new Progress(context);
  const interrupts = catchInterrupts(context.io.stderr);
  try {
    if (method !== 'store.trustClock') progress.start('checking the store');
    const daemon = place.typed === undefined ? await context.connectIfRunning() : undefined;
    const call = { method, params, signal: interrupts.signal, progress };
    if (!daemon) return await callFolder(context, place, call);
    return await callDaemon(daemon, call).finally(() => daemon.close());
  } finally {
    progress.end();
    interrupts.release();
  }
}

interface Call<M extends StoreMethod> {
  readonly method: M;
  readonly params: Params<M>;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

async function callDaemon<M extends StoreMethod>(
  daemon: ControlClient,
  { method, params, signal, progress }: Call<M>,
): Promise<Result<M>> {
  daemon.onEvent(({ event }) => {
    if (event.type !== 'store.progress' || !('id' in params) || event.id !== params.id) return;
    show(progress, event);
  });
  await daemon.subscribe();
  return daemon.call(method, params, { signal });
}

async function callFolder<M extends StoreMethod>(
  context: Context,
  { typed, acceptMetadata = false }: Place,
  { method, params, signal, progress }: Call<M>,
): Promise<Result<M>> {
  const { offlineStore } = await import('../../../../daemon/offline/offline-store.ts');
  const handlers = offlineStore({
    home: await context.home(),
    folder: typed === undefined ? undefined : context.path(typed),
    clock: context.io.clock,
    acceptMetadata,
    report: (_, event) => show(progress, event),
  });
  return handlers[method](params, { signal });
}

/**
 * Shows the current step of a check. All steps that check database rows are shown with the same text, because each step
 * takes only a moment.
 */
function show(
  progress: Progress,
  { step, done, total }: { step: string; done: number; total?: number | undefined },
): void {
  const files = { files: done, ...defined({ totalFiles: total }), noun: 'folder' };
  if (step === 'bytes')
    progress.show('reading all bytes', defined({ bytes: done, totalBytes: total }));
  else if (step === 'files') progress.show('checking the files', files);
  else if (step === 'database pages') progress.show('checking the pages of the database', {});
  else progress.show('checking the records of the database', {});
}

/** Copies and renames objects on the server, for `holdfast s3 mv` and for `holdfast s3 cp` between objects. */

import { randomUUID } from 'node:crypto';

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Params } from '../../../control/messages.ts';
import type { Context } from '../../context.ts';
import type { Copying } from './cp.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { folderPrefix, type Place, requireKey, underOwnName } from '../../arguments/thing.ts';
import { Progress } from '../../output/progress.ts';
import { visible } from '../../output/text.ts';
import type { Transfer } from './transfer-report.ts';

export interface Sides {
  readonly from: Place;
  readonly to: Place;
}

export function copyAcross(context: Context, sides: Sides, copying: Copying): Promise<Transfer> {
  const { overwrite, dryRun, attributes: changes, tags, versionId, customerKey } = copying;
  if (copying.recursive) {
    return ofPrefix(context, sides, 'copying', (daemon, prefixes, signal) =>
      daemon.call(
        'prefixes.copy',
        defined({ ...prefixes, overwrite, dryRun, changes, tags, customerKey }),
        {
          signal,
        },
      ),
    );
  }
  const { from, to } = oneObject(sides);
  return context.withDaemon(async (daemon) => {
    const source = defined({ ...from, versionId });
    if (dryRun) return planned(daemon, { from: defined({ ...source, customerKey }), to });
    const params = defined({ from: source, to, overwrite, changes, tags, customerKey });
    const title = `copying ${visible(from.key)}`;
    const { sizeBytes } = await whileShown(context, daemon, title, (id) =>
      daemon.call('objects.copy', { ...params, id }),
    );
    return { objects: 1, bytes: sizeBytes, failedCount: 0, failed: [] };
  });
}

interface Renaming {
  readonly recursive: boolean;
  readonly dryRun: boolean;
  readonly overwrite: boolean;
  readonly customerKey?: string | undefined;
}

export function renameAcross(
  context: Context,
  sides: Sides,
  renaming: Renaming,
): Promise<Transfer> {
  const { overwrite, dryRun, customerKey } = renaming;
  if (renaming.recursive) {
    return ofPrefix(context, sides, 'renaming', (daemon, prefixes, signal) =>
      daemon.call('prefixes.rename', defined({ ...prefixes, overwrite, dryRun, customerKey }), {
        signal,
      }),
    );
  }
  const { from, to } = oneObject(sides);
  return context.withDaemon(async (daemon) => {
    if (dryRun) return planned(daemon, { from: defined({ ...from, customerKey }), to });
    const params = defined({ from, to, overwrite, customerKey });
    const title = `renaming ${visible(from.key)}`;
    const { sizeBytes, ...outcome } = await whileShown(context, daemon, title, (id) =>
      daemon.call('objects.rename', { ...params, id }),
    );
    const { versionsStay, rightsKept } = outcome;
    return { objects: 1, bytes: sizeBytes, failedCount: 0, failed: [], versionsStay, rightsKept };
  });
}

/** Runs `call` with an ID for its progress, and shows which parts of a large object the service has copied. */
async function whileShown<T>(
  context: Context,
  daemon: ControlClient,
  title: string,
  call: (id: string) => Promise<T>,
): Promise<T> {
  const [id, progress] = [randomUUID(), new Progress(context)];
  const stopListening = daemon.onEvent(({ event }) => {
    if (event.type !== 'copy.progress' || event.id !== id) return;
    const { bytes, totalBytes } = event;
    progress.show(title, { bytes, ...defined({ totalBytes }) });
  });
  try {
    progress.start(title);
    await daemon.subscribe({ types: ['copy.progress'] });
    return await call(id);
  } finally {
    progress.end();
    stopListening();
  }
}

function oneObject({ from, to }: Sides): Sides {
  const source = requireKey(from);
  const name = source.key.slice(source.key.lastIndexOf('/') + 1);
  return { from: source, to: underOwnName(to, name) };
}

async function planned(
  daemon: ControlClient,
  { from, to }: { readonly from: Params<'objects.describe'>; readonly to: Place },
): Promise<Transfer> {
  const { sizeBytes } = await daemon.call('objects.describe', from);
  const plan = { from: `${from.bucket}/${from.key}`, to: `${to.bucket}/${to.key}`, sizeBytes };
  return { objects: 1, bytes: sizeBytes, failedCount: 0, failed: [], planned: [plan] };
}

interface Prefixes {
  readonly from: { readonly bucket: string; readonly prefix: string };
  readonly to: { readonly bucket: string; readonly prefix: string };
  readonly id: string;
}

type PrefixCall = (
  daemon: ControlClient,
  prefixes: Prefixes,
  signal: AbortSignal,
) => Promise<Transfer>;

/**
 * Runs `call`, which makes the daemon copy or rename all objects below a prefix. Shows the progress that the daemon
 * reports. An interrupt cancels the call.
 */
function ofPrefix(
  context: Context,
  { from, to }: Sides,
  title: string,
  call: PrefixCall,
): Promise<Transfer> {
  const id = randomUUID();
  const prefixOf = ({ bucket, key }: Place) => ({ bucket, prefix: folderPrefix(key) });
  return context.withDaemon(async (daemon) => {
    const progress = new Progress(context);
    progress.start(title);
    daemon.onEvent(({ event }) => {
      if (event.type !== 'copy.progress' || event.id !== id) return;
      progress.show(title, { files: event.objects, bytes: event.bytes, noun: 'object' });
    });
    await daemon.subscribe({ types: ['copy.progress'] });
    const interrupts = catchInterrupts(context.io.stderr);
    try {
      const prefixes = { from: prefixOf(from), to: prefixOf(to), id };
      return inBuckets({ from, to }, await call(daemon, prefixes, interrupts.signal));
    } finally {
      progress.end();
      interrupts.release();
    }
  });
}

/** Returns the result of the transfer with `BUCKET/KEY` in place of each key that the daemon returned. */
function inBuckets({ from, to }: Sides, transfer: Transfer): Transfer {
  const named = <T extends { readonly from: string; readonly to: string }>(each: T): T => ({
    ...each,
    from: `${from.bucket}/${each.from}`,
    to: `${to.bucket}/${each.to}`,
  });
  const planned = transfer.planned?.map(named);
  return { ...transfer, failed: transfer.failed.map(named), ...defined({ planned }) };
}

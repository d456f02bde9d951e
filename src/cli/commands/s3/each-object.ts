/** Processes many objects or files, several at a time. If one of them fails, continues with the next. */

import { Ahead } from './ahead.ts';
import { eachAtOnce } from '../../../base/at-once.ts';
import { diskErrorLine } from '../../../base/disk-error.ts';
import { defined } from '../../../base/defined.ts';
import { errorMessage, isAbort } from '../../../base/errors.ts';
import type { ControlClient } from '../../../control/client.ts';
import { FilesInFlight } from '../../../base/files-in-flight.ts';
import { isControlError } from '../../../control/control-error.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { objectPages } from './pages.ts';
import type { Place } from '../../arguments/thing.ts';
import { Progress } from '../../output/progress.ts';
import type { FailedTransfer, Transfer } from './transfer-report.ts';

/**
 * The number of items that are processed at a time. Each item spends most of its time on disk I/O of the command or the
 * daemon.
 */
const AT_ONCE = 4;
const MAX_REPORTED = 1000;

export interface Piece {
  readonly from: string;
  readonly to: string;
  readonly sizeBytes: number;
}

export interface Pieces<P extends Piece> {
  /** The title of the progress bar, such as `copying`. */
  readonly title: string;
  readonly pieces: AsyncIterable<P> | Iterable<P>;
  /** Whether `work` transfers the bytes of an item and calls `moved`. */
  readonly movesBytes?: true;
  /** Whether to count and list the items, and to call `check` instead of `work`. */
  readonly dryRun?: boolean | undefined;
  readonly work: (piece: P, underWay: UnderWay) => Promise<void>;
  /** Rejects if `work` would fail. Absent if that cannot be known in advance. */
  readonly check?: (piece: P) => Promise<void>;
}

export interface UnderWay {
  /** Aborts when the user interrupts the command. */
  readonly signal: AbortSignal;
  /** Adds a number of transferred bytes to the progress. */
  readonly moved: (bytes: number) => void;
}

export async function eachPiece<P extends Piece>(
  context: Context,
  { title, pieces, movesBytes, dryRun, work, check }: Pieces<P>,
): Promise<Transfer> {
  const progress = new Progress(context);
  const inFlight = new FilesInFlight();
  const interrupts = catchInterrupts(context.io.stderr);
  const { signal } = interrupts;
  const planned: Piece[] = [];
  const failed: FailedTransfer[] = [];
  const counts = { objects: 0, bytes: 0, failedCount: 0 };
  let movedBytes = 0;
  const ahead = new Ahead(pieces);
  const show = () => {
    const amounts = { files: counts.objects + counts.failedCount, ...ahead.totals() };
    if (!movesBytes || dryRun) return progress.show(title, { ...amounts, noun: 'object' });
    const current = inFlight.largest();
    progress.show(title, { ...amounts, bytes: movedBytes, ...defined({ current }) });
  };
  const run = async (piece: P) => {
    const { from, to, sizeBytes } = piece;
    const file = inFlight.begin(from, sizeBytes);
    const moved = (bytes: number) => {
      file.bytes += bytes;
      movedBytes += bytes;
      show();
    };
    try {
      signal.throwIfAborted();
      if (!dryRun) await work(piece, { signal, moved });
      else await check?.(piece);
      if (dryRun && planned.length < MAX_REPORTED) planned.push({ from, to, sizeBytes });
      counts.objects += 1;
      counts.bytes += sizeBytes;
    } catch (error) {
      if (signal.aborted || isFatal(error)) throw error;
      counts.failedCount += 1;
      if (failed.length < MAX_REPORTED) failed.push({ from, to, ...reasonOf(error) });
    } finally {
      inFlight.end(file);
      moved(sizeBytes - file.bytes);
    }
  };
  try {
    progress.start(title);
    await eachAtOnce(ahead, AT_ONCE, run);
  } finally {
    progress.end();
    interrupts.release();
  }
  return { ...counts, failed, ...(dryRun && { planned }) };
}

/**
 * Returns whether an error ends the whole command. This is the case for an interrupt, a lost connection to the daemon,
 * and a missing bucket.
 */
function isFatal(error: unknown): boolean {
  if (isControlError(error, 'Storage')) return error.storageCode === 'NoSuchBucket';
  return isAbort(error) || isControlError(error, 'Disconnected', 'NotRunning', 'Cancelled');
}

function reasonOf(error: unknown): Pick<FailedTransfer, 'code' | 'message'> {
  if (isControlError(error)) {
    return { code: error.storageCode ?? error.code, message: error.message };
  }
  if (error instanceof CommandError) return { code: error.code, message: error.message };
  return { code: 'FileNotUsable', message: diskErrorLine(error) ?? errorMessage(error) };
}

export interface ObjectPiece extends Piece {
  readonly key: string;
}

/** Yields the objects below a prefix. `to` equals `from` if the change does not move the object. */
export async function* piecesBelow(
  daemon: ControlClient,
  { bucket, key: prefix }: Place,
): AsyncGenerator<ObjectPiece, void> {
  for await (const { objects } of objectPages(daemon, { bucket, prefix })) {
    for (const { key, sizeBytes } of objects) {
      const place = `${bucket}/${key}`;
      yield { from: place, to: place, key, sizeBytes };
    }
  }
}

/** Implements `holdfast s3 get`. It writes the bytes of an object to a file or to standard output. */

import { lstat, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { defined } from '../../../base/defined.ts';
import { diskErrorFix, failureReason } from '../../../base/disk-error.ts';
import { errorCode } from '../../../base/errors.ts';
import type { ControlClient } from '../../../control/client.ts';
import { CommandError, usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { type KeyOptions, readKeyFile } from '../../arguments/key-file.ts';
import { type VersionPlace, withThing } from '../../arguments/resolve-thing.ts';
import type { Place } from '../../arguments/thing.ts';
import { Progress } from '../../output/progress.ts';
import { shellWord, visible } from '../../output/text.ts';
import { bytesText } from '../../../text/amounts.ts';
import { tookText } from '../../../text/time.ts';
import { shown, writeFileWhole } from './transfer.ts';

export interface GetOptions extends KeyOptions {
  readonly file?: string | undefined;
  readonly versionId?: string;
}

export async function get(context: Context, object: string, options: GetOptions): Promise<void> {
  const { versionId } = options;
  const toStdout = options.file === '-';
  if (toStdout && context.json)
    throw usageError('cannot use --json with -: both write to standard output');
  const customerKey = await readKeyFile(context, options.keyFile);
  const interrupts = catchInterrupts(context.io.stderr);
  try {
    const rules = { ifBoth: 'object', hasVersions: true, needsKey: true, versionId } as const;
    await withThing(context, object, rules, async (daemon, place) => {
      const file = toStdout ? undefined : await fileFor(context, place, options.file);
      await fetch(context, daemon, { place, file, customerKey, signal: interrupts.signal });
    });
  } finally {
    interrupts.release();
  }
}

interface Fetching {
  readonly place: VersionPlace;
  /** The file to write. Undefined for standard output. */
  readonly file: string | undefined;
  readonly customerKey: string | undefined;
  readonly signal: AbortSignal;
}

async function fetch(context: Context, daemon: ControlClient, fetching: Fetching): Promise<void> {
  const { place, file, customerKey, signal } = fetching;
  const asked = defined({ ...place, customerKey });
  const { clock } = context.io;
  const startedAt = clock.monotonic();
  const { stream, info } = await daemon.call('objects.get', asked, { signal });
  const progress = new Progress(context);
  const shownAs = { title: `downloading ${visible(place.key)}`, totalBytes: info.sizeBytes };
  const bytes = shown(progress, shownAs, daemon.download(stream, { signal }));
  try {
    if (file === undefined) {
      for await (const chunk of bytes) await context.out.bytes(chunk);
      return;
    }
    await writeFileWhole(file, bytes);
  } finally {
    progress.end();
  }
  if (context.json) return context.out.json({ file, info });
  const took = tookText(clock.monotonic() - startedAt);
  await context.out.lines(`${visible(file)}: ${bytesText(info.sizeBytes)}${took}`);
}

/**
 * Returns the path of the file to write. Without `typed`, its name is the last segment of the key. In this case,
 * throws CommandError `FileNotUsable` if the file exists.
 */
async function fileFor(context: Context, { bucket, key }: Place, typed?: string): Promise<string> {
  if (typed !== undefined) {
    const named = context.path(typed);
    return (await isFolder(named)) ? join(named, lastName(key)) : named;
  }
  const file = context.path(lastName(key));
  // A link with that name counts as an existing file, even if its target does not exist.
  if ((await isFolder(file, lstat)) === undefined) return file;
  throw new CommandError(
    'FileNotUsable',
    `cannot write ${file}: the file exists already`,
    `name another one: holdfast s3 get ${shellWord(`${bucket}/${key}`)} FILE`,
  );
}

/** Returns whether a path is a folder. Returns undefined if the path does not exist. */
async function isFolder(path: string, examine = stat): Promise<boolean | undefined> {
  try {
    return (await examine(path)).isDirectory();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    const message = `cannot write ${path}: ${failureReason(error)}`;
    throw new CommandError('FileNotUsable', message, diskErrorFix(error), error);
  }
}

/**
 * Returns the last segment of a key. Throws a usage error if it is not a valid file name. Keys are untrusted, so the
 * name must not lead out of the folder.
 */
function lastName(key: string): string {
  const name = basename(key);
  const isName = !['', '.', '..'].includes(name) && !key.endsWith('/') && !name.includes('\0');
  if (isName) return name;
  throw usageError(
    `cannot get ${visible(key)}: its last part is not a valid file name`,
    'give the name of the file to write: holdfast s3 get OBJECT FILE',
  );
}

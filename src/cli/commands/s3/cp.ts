/** Implements `holdfast s3 cp`, which copies files to objects, objects to files, or objects to objects. */

import { defined } from '../../../base/defined.ts';
import { usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { type KeyOptions, readKeyFile } from '../../arguments/key-file.ts';
import type { Pair } from '../../arguments/pairs.ts';
import { metadataOf } from '../../arguments/pairs.ts';
import { folderOf, parseSide } from '../../arguments/sides.ts';
import { report } from './transfer-report.ts';
import type { Transfer } from './transfer-report.ts';

export interface CopyOptions extends KeyOptions {
  readonly recursive?: boolean;
  readonly dryRun?: boolean;
  readonly ifNoneMatch?: boolean;
  readonly versionId?: string;
  readonly contentType?: string;
  readonly metadata?: readonly Pair[];
  readonly tag?: readonly Pair[];
}

/** Attributes and tags of the objects to write. Each is absent if no option sets it. */
export interface Given {
  readonly attributes?: {
    readonly contentType?: string;
    readonly metadata?: Record<string, string>;
  };
  readonly tags?: Pair[];
}

/** Settings of a copy that do not depend on its direction. */
export interface Copying extends Given {
  readonly recursive: boolean;
  readonly dryRun: boolean;
  /** Whether an existing object or file at the destination is replaced. */
  readonly overwrite: boolean;
  readonly versionId?: string;
  readonly customerKey?: string;
}

export async function copy(
  context: Context,
  sides: { readonly from: string; readonly to: string },
  options: CopyOptions,
): Promise<ExitCode> {
  const customerKey = await readKeyFile(context, options.keyFile);
  const copying = defined({ ...copyingOf(options), customerKey });
  const transfer = await transferOf(context, sides, copying);
  const source = parseSide(context, sides.from);
  const from = source.kind === 'file' ? { folder: source.path } : folderOf(source);
  return report(context, transfer, { did: 'copied', would: 'copy', from });
}

async function transferOf(
  context: Context,
  { from, to }: { readonly from: string; readonly to: string },
  copying: Copying,
): Promise<Transfer> {
  const [source, target] = [parseSide(context, from), parseSide(context, to)];
  if (source.kind === 'file') {
    if (target.kind === 'file') {
      throw usageError(
        `cp ${from} ${to}: both are files of this machine`,
        'an object is BUCKET/KEY, without ./ before it',
      );
    }
    if (copying.versionId !== undefined) throw usageError('--version-id: a file has no versions');
    const { copyUp } = await import('./cp-up.ts');
    return copyUp(context, { path: source.path, place: target.place }, copying);
  }
  if (copying.recursive && copying.versionId !== undefined) {
    throw usageError('--version-id: it names a version of one object, not of many');
  }
  if (target.kind === 'file') {
    if (copying.attributes !== undefined || copying.tags !== undefined) {
      throw usageError('--content-type, --metadata and --tag: a file has none of them');
    }
    const { copyDown } = await import('./cp-down.ts');
    return copyDown(context, { place: source.place, ...target }, copying);
  }
  const { copyAcross } = await import('./cp-across.ts');
  return copyAcross(context, { from: source.place, to: target.place }, copying);
}

function copyingOf(options: CopyOptions): Copying {
  const { contentType, metadata, tag, versionId } = options;
  const attributes = defined({ contentType, metadata: metadataOf(metadata) });
  return defined({
    recursive: options.recursive === true,
    dryRun: options.dryRun === true,
    overwrite: options.ifNoneMatch !== true,
    versionId,
    attributes: Object.keys(attributes).length === 0 ? undefined : attributes,
    tags: tag && [...tag],
  });
}

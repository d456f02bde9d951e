/** Implements `holdfast s3 cp`. It copies files to objects, objects to files, or objects to objects. */

import { defined } from '../../../base/defined.ts';
import { LOCAL_TARGET } from '../../../control/local-target.ts';
import { usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { type KeyOptions, readKeyFile } from '../../arguments/key-file.ts';
import type { Pair } from '../../arguments/pairs.ts';
import { metadataOf } from '../../arguments/pairs.ts';
import { withThing } from '../../arguments/resolve-thing.ts';
import { folderOf, parseSide, type Side, splitVersion } from '../../arguments/thing.ts';
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

/** The metadata and tags of the objects to write. Each is absent if no option sets it. */
export interface Given {
  readonly attributes?: {
    readonly contentType?: string;
    readonly metadata?: Record<string, string>;
  };
  readonly tags?: Pair[];
}

/** The settings of a copy that do not depend on its direction. */
export interface Copying extends Given {
  readonly recursive: boolean;
  readonly dryRun: boolean;
  /** Whether to replace an existing object or file at the destination. */
  readonly overwrite: boolean;
  readonly versionId?: string;
  readonly customerKey?: string;
}

export async function copy(
  context: Context,
  sides: { readonly from: string; readonly to: string },
  options: CopyOptions,
): Promise<ExitCode> {
  const startedAt = context.io.clock.monotonic();
  const customerKey = await readKeyFile(context, options.keyFile);
  const [source, versionId] = await sourceOf(context, sides.from, options);
  const copying = defined({ ...copyingOf(options), versionId, customerKey });
  const transfer = await transferOf(context, { source, to: sides.to }, copying);
  const from = source.kind === 'file' ? { folder: source.path } : folderOf(source.place);
  return report(context, transfer, { did: 'copied', would: 'copy', from, startedAt });
}

/** Returns the source and its version ID. With `--recursive`, `~N` is part of the prefix. */
async function sourceOf(
  context: Context,
  typed: string,
  { versionId, recursive }: CopyOptions,
): Promise<[Side, string | undefined]> {
  const source = parseSide(context, typed);
  const isVersion = source.kind === 'object' && splitVersion(typed).back !== undefined;
  if (recursive || !isVersion) return [source, versionId];
  const rules = { ifBoth: 'object', hasVersions: true, needsKey: true, versionId } as const;
  // A name such as `films/a.mp4` is always an object in a copy, and never a path of a job.
  const { target = LOCAL_TARGET } = context;
  const named = `${target}:${source.place.bucket}/${source.place.key}`;
  return withThing(context, named, rules, async (_, { versionId: found, ...place }) => [
    { kind: 'object', place },
    found,
  ]);
}

async function transferOf(
  context: Context,
  { source, to }: { readonly source: Side; readonly to: string },
  copying: Copying,
): Promise<Transfer> {
  const target = parseSide(context, to);
  if (source.kind === 'file') {
    if (target.kind === 'file') {
      throw usageError(
        `cannot copy ${source.typed} to ${to}: both are files of this machine`,
        'an object is BUCKET/KEY, without ./ before it',
      );
    }
    if (copying.versionId !== undefined)
      throw usageError('cannot use --version-id with a local file');
    const { copyUp } = await import('./cp-up.ts');
    return copyUp(context, { path: source.path, place: target.place }, copying);
  }
  if (copying.recursive && copying.versionId !== undefined) {
    throw usageError('cannot use --version-id with --recursive');
  }
  if (target.kind === 'file') {
    if (copying.attributes !== undefined || copying.tags !== undefined) {
      throw usageError('cannot use --content-type, --metadata or --tag when downloading');
    }
    const { copyDown } = await import('./cp-down.ts');
    return copyDown(context, { place: source.place, ...target }, copying);
  }
  const { copyAcross } = await import('./cp-across.ts');
  return copyAcross(context, { from: source.place, to: target.place }, copying);
}

function copyingOf(options: CopyOptions): Copying {
  const { contentType, metadata, tag } = options;
  const attributes = defined({ contentType, metadata: metadataOf(metadata) });
  return defined({
    recursive: options.recursive === true,
    dryRun: options.dryRun === true,
    overwrite: options.ifNoneMatch !== true,
    attributes: Object.keys(attributes).length === 0 ? undefined : attributes,
    tags: tag && [...tag],
  });
}

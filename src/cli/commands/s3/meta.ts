/** Implements `holdfast s3 meta` for object metadata. In a versioned bucket, a change creates a new version. */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import { isControlError } from '../../../control/control-error.ts';
import type { Params, Result } from '../../../control/messages.ts';
import { CommandError, EXIT, usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { eachPiece, piecesBelow } from './each-object.ts';
import { type KeyOptions, readKeyFile } from '../../arguments/key-file.ts';
import { metadataOf } from '../../arguments/pairs.ts';
import type { Pair } from '../../arguments/pairs.ts';
import { withThing } from '../../arguments/resolve-thing.ts';
import { folderOf, type Place } from '../../arguments/thing.ts';
import { shellWord, visible } from '../../output/text.ts';
import { report, RIGHTS_LOST } from './transfer-report.ts';

type Attributes = Result<'objects.attributes'>;
type Changes = Params<'objects.change'>['changes'];

/** Maps the header names of standard metadata to their names in the control protocol. */
const HEADERS = {
  'content-type': 'contentType',
  'content-encoding': 'contentEncoding',
  'content-disposition': 'contentDisposition',
  'content-language': 'contentLanguage',
  'cache-control': 'cacheControl',
  expires: 'expires',
  'website-redirect-location': 'websiteRedirect',
} as const satisfies Readonly<Record<string, keyof Attributes>>;

type Standard = (typeof HEADERS)[keyof typeof HEADERS];

export interface SetMetaOptions extends KeyOptions, Partial<Readonly<Record<Standard, string>>> {
  readonly remove?: readonly string[];
  readonly recursive?: boolean;
  readonly dryRun?: boolean;
}

export async function getMeta(
  context: Context,
  typed: string,
  { keyFile, versionId }: KeyOptions & { readonly versionId?: string },
): Promise<void> {
  const customerKey = await readKeyFile(context, keyFile);
  const rules = { ifBoth: 'object', hasVersions: true, needsKey: true, versionId } as const;
  const attributes = await withThing(context, typed, rules, (daemon, place) =>
    daemon.call('objects.attributes', defined({ ...place, customerKey })),
  );
  if (context.json) return context.out.json(attributes);
  await context.out.lines(...attributeLines(attributes));
}

/**
 * Returns a line for each metadata entry, such as `content-type: text/plain`. User metadata has the form
 * `meta-NAME: VALUE`.
 */
export function attributeLines({ metadata = {}, ...standard }: Attributes): string[] {
  const named = Object.entries(HEADERS).flatMap(([header, member]) => {
    const value = standard[member];
    return value === undefined ? [] : [`${header}: ${value}`];
  });
  const own = Object.entries(metadata).map(([name, value]) => `meta-${name}: ${value}`);
  return [...named, ...own].map(visible);
}

export async function setMeta(
  context: Context,
  { typed, pairs }: { readonly typed: string; readonly pairs: readonly Pair[] },
  { recursive = false, dryRun = false, keyFile, ...options }: SetMetaOptions,
): Promise<ExitCode> {
  const changes = changesOf(pairs, options);
  if (dryRun && !recursive) throw usageError('cannot use --dry-run without --recursive');
  const customerKey = await readKeyFile(context, keyFile);
  const rules = { ifBoth: 'refuse', needsKey: !recursive } as const;
  return withThing(context, typed, rules, (daemon, place) => {
    const change = { typed, place, changes, customerKey };
    return recursive
      ? changeAll(context, daemon, { ...change, dryRun })
      : changeOne(context, daemon, change);
  });
}

function changesOf(
  pairs: readonly Pair[],
  { remove, ...standard }: Omit<SetMetaOptions, 'dryRun' | 'keyFile' | 'recursive'>,
): Changes {
  const metadata = pairs.length === 0 ? undefined : metadataOf(pairs);
  const removed = remove?.map((name) => memberOf(name.toLowerCase()));
  const changes = defined({ ...standard, metadata, remove: removed });
  if (Object.keys(changes).length > 0) return changes;
  throw usageError(
    'cannot set the metadata: no attribute is given',
    'give NAME=VALUE, or an option such as --content-type',
  );
}

function memberOf(name: string): string {
  return Object.hasOwn(HEADERS, name) ? HEADERS[name as keyof typeof HEADERS] : `metadata.${name}`;
}

interface Change {
  readonly typed: string;
  readonly place: Place;
  readonly changes: Changes;
  readonly customerKey: string | undefined;
}

async function changeOne(
  context: Context,
  daemon: ControlClient,
  { typed, place, changes, customerKey }: Change,
): Promise<ExitCode> {
  const changing = defined({ ...place, changes, customerKey });
  const changed = await daemon.call('objects.change', changing).catch((error: unknown) => {
    const isMissing = isControlError(error, 'Storage') && error.storageCode === 'InvalidArgument';
    if (!isMissing || changes.remove === undefined) throw error;
    const hint = `to list its attributes: holdfast s3 meta get ${shellWord(typed)}`;
    throw new CommandError('NotFound', error.message, hint, error);
  });
  if (context.json) await context.out.json(changed);
  else {
    const version = changed.versionId === undefined ? '' : `, as version ${changed.versionId}`;
    const lost = changed.rightsKept ? [] : [RIGHTS_LOST];
    await context.out.lines(`changed ${visible(typed)}${version}`, ...lost);
  }
  return EXIT.ok;
}

async function changeAll(
  context: Context,
  daemon: ControlClient,
  { place, changes, customerKey, dryRun }: Change & { readonly dryRun: boolean },
): Promise<ExitCode> {
  const from = folderOf(place);
  const transfer = await eachPiece(context, {
    title: 'changing',
    pieces: piecesBelow(daemon, from),
    dryRun,
    work: async (piece) => {
      const params = { bucket: from.bucket, key: piece.key, changes, customerKey };
      await daemon.call('objects.change', defined(params));
    },
  });
  return report(context, transfer, { did: 'changed', would: 'change', from });
}

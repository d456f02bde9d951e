/**
 * Implements `holdfast s3 tag` for the tags of objects, versions and buckets. By default, a change keeps other tags.
 */

import type { ControlClient } from '../../../control/client.ts';
import type { Params } from '../../../control/messages.ts';
import { CommandError, EXIT, usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { eachPiece, piecesBelow } from './each-object.ts';
import type { Pair } from '../../arguments/pairs.ts';
import { type VersionPlace, withThing } from '../../arguments/resolve-thing.ts';
import { folderOf } from '../../arguments/thing.ts';
import { shellWord, visible } from '../../output/text.ts';
import { report } from './transfer-report.ts';

export interface TagOptions {
  readonly versionId?: string;
}

export interface ChangeTagOptions extends TagOptions {
  readonly recursive?: boolean;
  readonly dryRun?: boolean;
  /** Whether to remove all tags that the command does not set. */
  readonly replace?: boolean;
}

export interface RemoveTagOptions extends ChangeTagOptions {
  readonly all?: boolean;
}

type TagChanges = Params<'objects.retag'>['changes'];

export async function getTags(
  context: Context,
  typed: string,
  { versionId }: TagOptions,
): Promise<void> {
  const rules = { ifBoth: 'object', hasVersions: true, versionId } as const;
  const answer = await withThing(context, typed, rules, readTags);
  if (context.json) return context.out.json(answer);
  await context.out.lines(...tagLines(answer.tags));
  if (answer.tags.length === 0) await context.remark(`${visible(typed)} has no tags`);
}

export function tagLines(tags: readonly Pair[]): string[] {
  return tags.map(({ key, value }) => visible(`${key}=${value}`));
}

export function setTags(
  context: Context,
  { typed, tags }: { readonly typed: string; readonly tags: readonly Pair[] },
  { replace = false, ...options }: ChangeTagOptions,
): Promise<ExitCode> {
  const changes: TagChanges = { set: [...tags], remove: replace ? 'all' : [] };
  return change(context, typed, { changes, ...options });
}

export function removeTags(
  context: Context,
  { typed, keys }: { readonly typed: string; readonly keys: readonly string[] },
  { all = false, ...options }: RemoveTagOptions,
): Promise<ExitCode> {
  if (all === keys.length > 0) {
    throw usageError('cannot remove tags: give either the keys of the tags, or --all');
  }
  const changes: TagChanges = { set: [], remove: all ? 'all' : [...keys] };
  return change(context, typed, { changes, ...options });
}

interface Change extends ChangeTagOptions {
  readonly changes: TagChanges;
}

function change(context: Context, typed: string, change: Change): Promise<ExitCode> {
  const { recursive, dryRun, versionId } = change;
  if (recursive && versionId !== undefined) {
    throw usageError('cannot use --version-id with --recursive');
  }
  if (dryRun && !recursive) throw usageError('cannot use --dry-run without --recursive');
  return withThing(context, typed, { ifBoth: 'refuse', versionId }, (daemon, place) =>
    recursive
      ? changeAll(context, daemon, { place, change })
      : changeOne(context, daemon, { place, change }),
  );
}

interface Changing {
  readonly place: VersionPlace;
  readonly change: Change;
}

async function changeOne(
  context: Context,
  daemon: ControlClient,
  { place, change: { changes } }: Changing,
): Promise<ExitCode> {
  const { bucket, key } = place;
  if (changes.remove !== 'all' && changes.remove.length > 0)
    await requireTags(daemon, place, changes.remove);
  const answer =
    key === ''
      ? await daemon.call('buckets.retag', { bucket, changes })
      : await daemon.call('objects.retag', { ...place, changes });
  if (context.json) await context.out.json(answer);
  else await context.out.lines(...tagLines(answer.tags));
  const name = visible(key === '' ? bucket : `${bucket}/${key}`);
  if (answer.tags.length === 0) await context.remark(`${name} has no tags`);
  return EXIT.ok;
}

/** Throws CommandError `NotFound` if one of the tags does not exist, because removing it would change nothing. */
async function requireTags(
  daemon: ControlClient,
  place: VersionPlace,
  keys: readonly string[],
): Promise<void> {
  const { bucket, key } = place;
  const { tags } = await readTags(daemon, place);
  const missing = keys.filter((each) => !tags.some((tag) => tag.key === each));
  if (missing.length === 0) return;
  const name = key === '' ? bucket : `${bucket}/${key}`;
  throw new CommandError(
    'NotFound',
    `cannot remove tags: ${name} has no tag ${missing.join(', ')}`,
    `to list its tags: holdfast s3 tag get ${shellWord(name)}`,
  );
}

function readTags(daemon: ControlClient, place: VersionPlace) {
  return place.key === ''
    ? daemon.call('buckets.tags', { bucket: place.bucket })
    : daemon.call('objects.tags', place);
}

async function changeAll(
  context: Context,
  daemon: ControlClient,
  { place, change: { changes, dryRun } }: Changing,
): Promise<ExitCode> {
  const from = folderOf(place);
  const transfer = await eachPiece(context, {
    title: 'tagging',
    pieces: piecesBelow(daemon, from),
    dryRun,
    work: async (piece) => {
      await daemon.call('objects.retag', { bucket: from.bucket, key: piece.key, changes });
    },
  });
  return report(context, transfer, { did: 'tagged', would: 'tag', from });
}

/** Resolves a typed argument to a bucket or object at a target, and to a version. See `thing.ts`. */

import type { Stats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, join, normalize, relative } from 'node:path';

import { defined } from '../../base/defined.ts';
import { errorCode } from '../../base/errors.ts';
import type { ControlClient } from '../../control/client.ts';
import { isControlError } from '../../control/control-error.ts';
import type { Result } from '../../control/messages.ts';
import { LOCAL_TARGET } from '../../control/local-target.ts';
import type { JobStatus } from '../../control/shapes.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import type { Context } from '../context.ts';
import { shellWord, visible } from '../output/text.ts';
import { countText } from '../../text/amounts.ts';
import { timeText } from '../../text/time.ts';
import { clientAt } from './at-target.ts';
import {
  folderPrefix,
  parseThing,
  type Place,
  splitVersion,
  type Thing,
  type VersionedName,
} from './thing.ts';

/** The kinds of arguments that a command accepts, and how it resolves an ambiguous argument. */
export interface ThingRules {
  /**
   * What to do if an argument is both an existing file of a job and an existing object. `object` and `path` select one
   * of them and report the choice. `refuse` makes the ambiguity an error. Commands that change data use it.
   */
  readonly ifBoth: 'object' | 'path' | 'refuse';
  /** Whether `~N` selects an earlier version. If not, `~N` is part of the name. */
  readonly hasVersions?: boolean;
  /** The value of `--version-id`. */
  readonly versionId?: string | undefined;
  /** Whether the command requires an object. If so, a bucket is an error. */
  readonly needsKey?: boolean;
}

export interface VersionPlace extends Place {
  readonly versionId?: string;
}

export interface Found extends Place {
  /** The target that contains the bucket. `local` for the embedded store. */
  readonly target: string;
  /** The job whose folder contains the path. Undefined if the argument was an object. */
  readonly job?: string;
}

type Use<T> = (daemon: ControlClient, place: VersionPlace, found: Found) => Promise<T>;

/** Resolves an argument and calls `use` with a client for its target. Returns the result of `use`. */
export async function withThing<T>(
  context: Context,
  typed: string,
  rules: ThingRules,
  use: Use<T>,
): Promise<T> {
  const asked = await readThing(context, typed, rules);
  if (asked.object && !asked.local) checkPlace(asked.object, asked);
  return context.withDaemon(async (daemon) => {
    const found = await find(context, daemon, asked);
    checkPlace(found, asked);
    const { bucket, key, target } = found;
    const isAsked = target === (context.target ?? LOCAL_TARGET);
    const client = isAsked ? daemon : clientAt(daemon, target);
    try {
      const versionId = (await earlierVersion(client, found, asked)) ?? rules.versionId;
      return await use(client, defined({ bucket, key, versionId }), found);
    } catch (error) {
      throw (await pathInstead(context, daemon, asked, error)) ?? error;
    }
  });
}

/** A typed argument. It has `object` or `local`, or both. */
interface Asked extends VersionedName {
  readonly typed: string;
  readonly rules: ThingRules;
  readonly object?: Found;
  /** The absolute path, if the text may be a path. */
  readonly path?: string;
  /** Present if the path exists, if the text can only be a path, or if the command prefers paths. */
  readonly local?: { readonly isFolder: boolean };
}

async function readThing(context: Context, typed: string, rules: ThingRules): Promise<Asked> {
  const versioned: VersionedName = rules.hasVersions ? splitVersion(typed) : { name: typed };
  const thing = parseThing(versioned.name);
  const object = thing.place && { ...thing.place, target: context.target ?? LOCAL_TARGET };
  const isPath = !object || mayBePath(context, thing);
  const path = isPath ? context.path(versioned.name) : undefined;
  const asked = { ...versioned, typed, rules, ...defined({ object, path }) };
  if (path === undefined) return asked;
  if (versioned.back !== undefined) await refuseName(context, typed);
  const stats = await statsOf(path);
  if (object && !stats && rules.ifBoth !== 'path') return asked;
  const isFolder = stats?.isDirectory() ?? versioned.name.endsWith('/');
  return { ...asked, local: { isFolder } };
}

/** Returns whether `BUCKET/KEY` may also be a path. A path such as `a//b` or `a/../b` must start with `./`. */
function mayBePath({ target }: Context, { path }: Thing): boolean {
  return path !== undefined && target === undefined && normalize(path) === path;
}

/**
 * Error codes of paths that cannot be files of a job. For example, a key may contain a name that is too long for a
 * file.
 */
const NO_FILE = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EACCES', 'ELOOP']);

async function unlessNoFile<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (NO_FILE.has(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

function statsOf(path: string): Promise<Stats | undefined> {
  return unlessNoFile(lstat(path));
}

function checkPlace({ bucket, key }: Place, { back, rules, name }: Asked): void {
  const { versionId, needsKey } = rules;
  if (back !== undefined && versionId !== undefined)
    throw usageError(`${name}~${back} and --version-id each name a version`, 'give one of them');
  if (key !== '') return;
  const hint = 'write BUCKET/KEY';
  if (needsKey) throw usageError(`cannot use "${name}": it names a bucket but no key`, hint);
  if (back !== undefined || versionId !== undefined)
    throw usageError(`cannot use "${name}": bucket ${bucket} itself has no versions`, hint);
}

async function find(context: Context, daemon: ControlClient, asked: Asked): Promise<Found> {
  const { typed, name, back, object, rules } = asked;
  const inJob = asked.local && (await placeInJob(context, daemon, asked));
  if (!inJob) return object ?? notBackedUp(context, name);
  if (!object) return inJob;
  const takesPath = rules.ifBoth === 'path';
  if (isSame(object, inJob)) return takesPath ? inJob : object;
  if (!(await isStored(daemon, object))) return inJob;
  // A suffix `~N` after a leading `./` would be part of the file name, so the suggested path is absolute.
  const suffix = back === undefined ? '' : `~${back}`;
  const asPath = shellWord(suffix === '' ? `./${name}` : `${context.path(name)}${suffix}`);
  const asObject = shellWord(`${LOCAL_TARGET}:${name}${suffix}`);
  const both = `"${typed}" is both a path of job ${inJob.job ?? ''} and an object`;
  if (rules.ifBoth === 'refuse')
    throw usageError(both, `for the path: ${asPath}; for the object: ${asObject}`);
  const taken = takesPath ? 'the path' : 'the object';
  const other = takesPath ? `the object: ${asObject}` : `the path: ${asPath}`;
  await context.remark(visible(`${both}: ${taken} is used; for ${other}`));
  return takesPath ? inJob : object;
}

function notBackedUp({ target }: Context, name: string): never {
  const where = target === undefined ? '' : ` to target ${target}`;
  throw new CommandError(
    'NotFound',
    `cannot find the object of ${name}: no job backs it up${where}`,
    'to list the folders of the jobs: holdfast job list',
  );
}

/** Returns whether two results are the same object or the same folder. */
function isSame(one: Found, other: Found): boolean {
  const isSameBucket = one.target === other.target && one.bucket === other.bucket;
  return isSameBucket && folderPrefix(one.key) === folderPrefix(other.key);
}

/** Returns whether the bucket exists and contains a version of the key or of a key below it. */
async function isStored(daemon: ControlClient, { bucket, key }: Place): Promise<boolean> {
  const folder = folderPrefix(key);
  const first = async (prefix: string) =>
    (await daemon.call('versions.list', { bucket, prefix, maxKeys: 1 })).versions[0];
  try {
    const found = await first(key);
    if (key === '' || found?.key === key || found?.key.startsWith(folder)) return true;
    return found !== undefined && (await first(folder)) !== undefined;
  } catch (error) {
    const isMissing = ['NoSuchBucket', 'InvalidBucketName'];
    if (isControlError(error) && isMissing.includes(error.storageCode ?? '')) return false;
    throw error;
  }
}

/**
 * Returns the bucket and key of a local path in the destination of its job. If the command prefers paths, also accepts
 * `JOB` and `JOB/PATH`. Returns undefined if no job backs up the path. If a job has several targets, uses the target
 * from `--target` or else the first.
 */
async function placeInJob(
  context: Context,
  daemon: ControlClient,
  { name, path = '', local, rules }: Asked,
): Promise<Found | undefined> {
  const { jobs } = await daemon.call('status', {});
  const { target: wanted } = context;
  const known = jobs.filter(({ target }) => wanted === undefined || target === wanted);
  const isFolder = local?.isFolder ?? false;
  for (const candidate of new Set([path, await withoutLinks(path)]))
    for (const job of known) {
      const below = relative(job.folder, candidate);
      if (below !== '..' && !below.startsWith('../')) return foundIn(job, below, isFolder);
    }
  if (rules.ifBoth !== 'path') return undefined;
  const [jobName, ...names] = name.split('/');
  const job = known.find((each) => each.name === jobName);
  return job && foundIn(job, names.filter(Boolean).join('/'), isFolder);
}

/**
 * Returns the path with the symbolic links in its parent folders resolved. The path itself may be a link that the job
 * backs up.
 */
async function withoutLinks(path: string): Promise<string> {
  const folder = await unlessNoFile(realpath(dirname(path)));
  return folder === undefined ? path : join(folder, basename(path));
}

function foundIn(
  { name: job, bucket, prefix, target }: JobStatus,
  below: string,
  isFolder: boolean,
): Found {
  const key = prefix + (isFolder ? folderPrefix(below) : below);
  return { job, bucket, key, target };
}

type Version = Result<'versions.list'>['versions'][number];

/** Returns the version ID for `~N`. Returns undefined for `~0`, and for an argument without `~N`. */
async function earlierVersion(
  daemon: ControlClient,
  { bucket, key }: Found,
  asked: Asked,
): Promise<string | undefined> {
  const { name, back, typed } = asked;
  if (back === undefined) return undefined;
  const suffix = typed.slice(name.length);
  if (await isStored(daemon, { bucket, key: key + suffix })) throw isAlsoName(typed);
  if (back === 0) return undefined;
  const versions = await versionsOf(daemon, { bucket, key }, back + 1);
  const version = versions[back];
  if (version?.kind === 'version') return version.versionId;
  const why = version
    ? `it is a delete marker: the object was deleted ${timeText(version.lastModifiedAt)}`
    : `${name} has ${countText(versions.length, 'version')}, delete markers included`;
  const hint = `to list the versions: holdfast s3 versions ${shellWord(name)}`;
  throw new CommandError('NotFound', `cannot read ${typed}: ${why}`, hint);
}

/** Returns the first `count` versions and delete markers of a key, newest first. */
async function versionsOf(
  daemon: ControlClient,
  { bucket, key }: Place,
  count: number,
): Promise<readonly Version[]> {
  const found: Version[] = [];
  let next: Result<'versions.list'>['next'];
  do {
    const page = await daemon.call('versions.list', { bucket, prefix: key, ...next });
    const own = page.versions.filter((version) => version.key === key);
    found.push(...own);
    // The versions of the key itself come before the versions of longer keys.
    next = own.length === page.versions.length ? page.next : undefined;
  } while (next !== undefined && found.length < count);
  return found;
}

/** Throws a usage error if a text that ends in `~N` is the complete path of an existing file. */
export async function refuseName(
  context: Context,
  typed: string,
  instead = 'the option --version-id',
): Promise<void> {
  const isPath = parseThing(typed).path !== undefined;
  if (isPath && (await statsOf(context.path(typed)))) throw isAlsoName(typed, instead);
}

function isAlsoName(typed: string, instead = 'the option --version-id'): CommandError {
  const { name } = splitVersion(typed);
  return usageError(
    `"${typed}" is both a name and a version of ${name}`,
    `for the file with this exact name: ${shellWord(`${typed}~0`)}; for the earlier version: ${shellWord(name)} with ${instead}`,
  );
}

/**
 * Returns a better error for a bucket that does not exist, if the text is also a path of a job whose file no longer
 * exists. Returns undefined if `error` has another cause.
 */
async function pathInstead(
  context: Context,
  daemon: ControlClient,
  asked: Asked,
  error: unknown,
): Promise<CommandError | undefined> {
  if (!isControlError(error) || error.storageCode !== 'NoSuchBucket') return undefined;
  if (asked.path === undefined || asked.local) return undefined;
  // If the lookup fails, the caller throws the original error.
  const inJob = await placeInJob(context, daemon, asked).catch(() => undefined);
  if (!inJob) return undefined;
  return new CommandError(
    'NotFound',
    `${error.message}; ${asked.typed} is a local path of job ${inJob.job}`,
    `to name the path: ${shellWord(context.path(asked.typed))}`,
  );
}

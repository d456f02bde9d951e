/**
 * Acquires, checks and releases a destination's ownership marker (the object that records the owner). While the marker
 * exists, no other job may write there. If two jobs write it at once, either the service rejects one write, or the
 * later write wins. Each job therefore reads the marker again after a delay.
 */

import { isDeepStrictEqual } from 'node:util';

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { Destination } from '../objects/destination.ts';
import {
  type Owner,
  type FoundMarker,
  isSameOwner,
  isSameHost,
  readMarker,
  type StoredMarker,
  writeMarker,
} from '../objects/ownership-marker.ts';

/**
 * Delay in milliseconds before the marker is read again. It is longer than another job needs between reading and
 * writing the marker.
 */
const RECHECK_DELAY_MS = 1_000;

export interface HoldOptions {
  readonly clock: Clock;
  /** Returns whether the service accepts only one of two concurrent marker writes. */
  readonly acceptsOneWrite: () => boolean;
  readonly signal: AbortSignal;
}

/**
 * Checks that the job may use the destination. Throws MirrorError `Claimed` if another job owns the destination, and
 * `OtherKey` if its objects are encrypted with another key.
 */
export async function checkDestination(
  destination: Destination,
  owner: Owner,
  signal: AbortSignal,
): Promise<void> {
  const found = await readMarker(destination, signal, owner.job);
  if (found && isHeld(found.marker)) refuseForeign(found, owner, destination);
  if (found) refuseOtherKey(found.marker, owner, destination);
}

/**
 * Writes the ownership marker unless it exists. Throws MirrorError `Claimed` if it belongs to another folder or host,
 * and `OtherKey` if the objects are encrypted with another key.
 */
export async function holdDestination(
  destination: Destination,
  owner: Owner,
  options: HoldOptions,
): Promise<void> {
  const { clock, acceptsOneWrite, signal } = options;
  const found = await readMarker(destination, signal, owner.job);
  const wasHeld = found !== undefined && isHeld(found.marker);
  if (wasHeld) refuseForeign(found, owner, destination);
  if (found) refuseOtherKey(found.marker, owner, destination);
  const updated = mergedMarker(owner, found?.marker);
  if (wasHeld && isUpToDate(found.marker, updated)) return;
  if (!wasHeld) await refuseBelowForeign(destination, owner, signal);
  // A marker with a different encryption key or holder id is updated too, before the job writes any object.
  await write(destination, updated, found, signal);
  if (acceptsOneWrite()) return;
  await expectOwn(destination, owner, signal);
  // If a copy of this machine starts at the same time, the next periodic check detects it.
  if (wasHeld) return;
  await clock.sleep(RECHECK_DELAY_MS, signal);
  await expectOwn(destination, owner, signal);
}

/**
 * Replaces any ownership marker, because the user states that the job in it no longer exists. Returns the former owner.
 * Throws MirrorError `OtherKey` if the job cannot decrypt the current objects.
 */
export async function takeOverDestination(
  destination: Destination,
  owner: Owner,
  signal: AbortSignal,
): Promise<FoundMarker | undefined> {
  const found = await readEvenDamaged(destination, signal);
  // The user accepts that older versions stay unreadable if their key is lost.
  if (found && !canRead(owner, found.marker.keyCheck)) throw otherKey(owner, destination);
  const isOurs = found && isHeld(found.marker) && isSameOwner(found.marker, owner);
  const updated = mergedMarker(owner, found?.marker);
  if (isOurs && isUpToDate(found.marker, updated)) return undefined;
  await writeMarker(destination, updated, undefined, signal);
  return isOurs ? undefined : found?.marker;
}

/** Reads the ownership marker. Returns an empty marker if it is damaged, because a damaged marker names no owner. */
async function readEvenDamaged(
  destination: Destination,
  signal: AbortSignal,
): Promise<StoredMarker | undefined> {
  try {
    return await readMarker(destination, signal);
  } catch (error) {
    if (error instanceof MirrorError && error.code === 'Claimed')
      return { marker: {}, etag: '', writtenAt: 0 };
    throw error;
  }
}

/**
 * Marks the destination as released when its job is removed. If another owner wrote the marker, returns it and leaves
 * it unchanged.
 */
export async function releaseDestination(
  destination: Destination,
  owner: Owner,
  signal: AbortSignal,
): Promise<FoundMarker | undefined> {
  const found = await readMarker(destination, signal, owner.job);
  if (!found || !isHeld(found.marker)) return undefined;
  if (!isSameOwner(found.marker, owner)) return found.marker;
  // The objects remain encrypted with the keys in the marker, even if the job now has another key.
  const { keyCheck, earlierChecks } = found.marker;
  const rootAttributes = owner.rootAttributes ?? found.marker.rootAttributes;
  const last = defined({ ...owner, keyCheck, earlierChecks, rootAttributes });
  await write(destination, { ...last, released: true }, found, signal);
  return undefined;
}

/**
 * Returns the marker to write. It contains the job's key, and the earlier keys from the found marker with which the job
 * can decrypt. If the root cannot be read now, the found marker provides the root's attributes.
 */
function mergedMarker(owner: Owner, found: FoundMarker = {}): Owner {
  const { earlierChecks: _, ...own } = owner;
  const earlier = keysOf(found).filter((each) => canRead(owner, each) && each !== own.keyCheck);
  const rootAttributes = own.rootAttributes ?? found.rootAttributes;
  return {
    ...own,
    ...defined({ rootAttributes, earlierChecks: earlier.length === 0 ? undefined : earlier }),
  };
}

function isUpToDate(found: FoundMarker, owner: Owner): boolean {
  const fieldsOf = ({ holder, keyCheck, earlierChecks, rootAttributes }: FoundMarker) =>
    [holder, keyCheck, earlierChecks, rootAttributes] as const;
  return isDeepStrictEqual(fieldsOf(found), fieldsOf(owner));
}

/** Returns the keys in a marker, the current one first. Skips fields of the wrong type. */
function keysOf({ keyCheck, earlierChecks }: FoundMarker): readonly string[] {
  const earlier = Array.isArray(earlierChecks) ? (earlierChecks as readonly string[]) : [];
  return [...(keyCheck === undefined ? [] : [keyCheck]), ...earlier];
}

/** Returns whether the job can decrypt objects with this key. Any job can read objects that are not encrypted. */
function canRead({ keyCheck, earlierChecks = [] }: Owner, key: string | undefined): boolean {
  return key === undefined || key === keyCheck || earlierChecks.includes(key);
}

function isHeld({ released }: FoundMarker): boolean {
  return released !== true;
}

/**
 * Replaces the marker that was found. Some services reject every condition. In that case, and if the marker has not
 * changed, the write is repeated without a condition.
 */
async function write(
  destination: Destination,
  owner: Owner,
  found: StoredMarker | undefined,
  signal: AbortSignal,
): Promise<void> {
  const expected = found ? { ifMatch: found.etag } : ({ ifNoneMatch: '*' } as const);
  try {
    await writeMarker(destination, owner, expected, signal);
  } catch (error) {
    if (!isStorageError(error, 'PreconditionFailed', 'NoSuchKey')) throw error;
    const now = await readMarker(destination, signal, owner.job);
    if (now?.etag !== found?.etag) return refuseForeign(now, owner, destination);
    await writeMarker(destination, owner, undefined, signal);
  }
}

async function expectOwn(
  destination: Destination,
  owner: Owner,
  signal: AbortSignal,
): Promise<void> {
  const { holder } = owner;
  const only = holder === undefined ? owner : { ...owner, holders: [holder] };
  refuseForeign(await readMarker(destination, signal, owner.job), only, destination);
}

/**
 * Throws MirrorError `Claimed` if another job owns a destination that contains this one. A destination inside this one
 * is detected by its objects, because they belong to another job.
 */
async function refuseBelowForeign(
  destination: Destination,
  owner: Owner,
  signal: AbortSignal,
): Promise<void> {
  const { prefix } = destination;
  for (let slash = prefix.length - 1; slash > 0;) {
    slash = prefix.lastIndexOf('/', slash - 1);
    const above = { ...destination, prefix: prefix.slice(0, slash + 1) };
    const found = await readMarker(above, signal, owner.job);
    if (found && isHeld(found.marker)) throw ownedByOther(found, owner, above);
  }
}

function refuseForeign(
  found: StoredMarker | undefined,
  owner: Owner,
  destination: Destination,
): void {
  const marker = found?.marker ?? {};
  if (isSameOwner(marker, owner)) return;
  throw isSameHost(marker, owner)
    ? ownedByCopy(found, owner, destination)
    : ownedByOther(found, owner, destination);
}

/**
 * Throws MirrorError `OtherKey` unless the job has all keys in the marker, because it must be able to decrypt all
 * objects at its destination.
 */
function refuseOtherKey(found: FoundMarker, owner: Owner, destination: Destination): void {
  if (!canRead(owner, found.keyCheck)) throw otherKey(owner, destination);
  if (keysOf(found).every((key) => canRead(owner, key))) return;
  throw new MirrorError(
    'OtherKey',
    `cannot back up to ${destination.bucket}/${destination.prefix}: older versions are encrypted with an earlier key that the job does not have; ` +
      `add it to customerKey.earlier, or, if no version needs it any more, run: \`holdfast job take-over ${owner.job}\`. Nothing is read or written there until then`,
  );
}

function otherKey({ keyCheck }: Owner, destination: Destination): MirrorError {
  const reason =
    keyCheck === undefined
      ? 'its objects are encrypted with a customer-provided key, and the job has none (customerKey)'
      : "its objects are encrypted with a different key than the job's (customerKey)";
  return new MirrorError(
    'OtherKey',
    `cannot back up to ${destination.bucket}/${destination.prefix}: ${reason}; give the job the key of these objects as customerKey or in customerKey.earlier, ` +
      'or choose another bucket or prefix. Nothing is read or written there until then',
  );
}

/**
 * Returns a text about when the owner last started. This is when the marker was written, because the owner writes it
 * at each start. Messages do not contain host ids, because users do not know them.
 */
function startText(found: StoredMarker | undefined): string {
  return found ? `, last started ${new Date(found.writtenAt).toISOString()}` : '';
}

function ownedByOther(
  found: StoredMarker | undefined,
  owner: Owner,
  destination: Destination,
): MirrorError {
  const { job = '?', host, root = '?' } = found?.marker ?? {};
  const where = host === owner.host ? 'this' : 'another';
  return new MirrorError(
    'Claimed',
    `cannot back up to ${destination.bucket}/${destination.prefix}: it belongs to job ${job} of folder ${root} of ${where} installation${startText(found)}; ` +
      `choose another bucket or prefix, or, if that job no longer exists, take it over: \`holdfast job take-over ${owner.job}\``,
  );
}

function ownedByCopy(
  found: StoredMarker | undefined,
  owner: Owner,
  destination: Destination,
): MirrorError {
  return new MirrorError(
    'Claimed',
    `cannot back up to ${destination.bucket}/${destination.prefix}: a copy of this installation, with the same folder ${owner.root}, owns it${startText(found)}: ` +
      "one machine is a copy of the other, or this job's state is outdated; nothing is written. Give the job of the copy " +
      `another bucket or prefix; or, if only this job continues, run: \`holdfast job take-over ${owner.job}\``,
  );
}

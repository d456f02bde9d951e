/**
 * A job owns its place: a claim lies there, and no other job may write. Of two that claim it at once, one has it: the
 * service says which, or where it takes both, the later one, which each of them looks for after a moment.
 */

import { isDeepStrictEqual } from 'node:util';

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { isStorageError } from '../../object-store/storage-error.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { Place } from '../objects/destination.ts';
import {
  type Owner,
  markerKey,
  type FoundMarker,
  isSameOwner,
  isSameHost,
  readMarker,
  type StoredMarker,
  writeMarker,
} from '../objects/ownership-marker.ts';

/** Longer than another's claim is under way between its look and its write. */
const MOMENT_MS = 1_000;

export interface HoldOptions {
  readonly clock: Clock;
  /** Whether the service takes one of two claims only. */
  readonly takesOne: () => boolean;
  readonly signal: AbortSignal;
}

/** Throws MirrorError `Claimed` where somebody else has it, `OtherKey` where its objects have another key. */
export async function checkDestination(
  place: Place,
  claim: Owner,
  signal: AbortSignal,
): Promise<void> {
  const found = await readMarker(place, signal);
  if (found && isHeld(found.claim)) refuseForeign(found.claim, claim, place);
  if (found) refuseOtherKey(found.claim, claim, place);
}

/**
 * Makes the claim, or finds it made before. Throws MirrorError `Claimed` when it is of another folder or host, `OtherKey`
 * where what was written there has another key.
 */
export async function holdDestination(
  place: Place,
  claim: Owner,
  options: HoldOptions,
): Promise<void> {
  const { clock, takesOne, signal } = options;
  const found = await readMarker(place, signal);
  const wasHeld = found !== undefined && isHeld(found.claim);
  if (wasHeld) refuseForeign(found.claim, claim, place);
  if (found) refuseOtherKey(found.claim, claim, place);
  const saying = withFound(claim, found?.claim);
  if (wasHeld && isSaid(found.claim, saying)) return;
  if (!wasHeld) await refuseBelowForeign(place, claim, signal);
  // Also where only the key or the holder is new: it is noted before anything is written.
  await write(place, saying, found, signal);
  if (takesOne()) return;
  await expectOwn(place, claim, signal);
  // A copy of this machine that starts in this very moment is found by the next look.
  if (wasHeld) return;
  await clock.sleep(MOMENT_MS, signal);
  await expectOwn(place, claim, signal);
}

/**
 * Whatever lies there: the user says that the job which had it is gone. Returns whose it was. Throws MirrorError
 * `OtherKey`: what that job wrote could not be read.
 */
export async function takeOverDestination(
  place: Place,
  claim: Owner,
  signal: AbortSignal,
): Promise<FoundMarker | undefined> {
  const found = await readEvenDamaged(place, signal);
  // Older versions may be left unread, where the user says so.
  if (found && !opens(claim, found.claim.keyCheck)) throw otherKey(claim, place);
  const isOurs = found && isHeld(found.claim) && isSameOwner(found.claim, claim);
  const saying = withFound(claim, found?.claim);
  if (isOurs && isSaid(found.claim, saying)) return undefined;
  await writeMarker(place, saying, undefined, signal);
  return isOurs ? undefined : found?.claim;
}

/** A damaged claim names no owner: the user says that none other is left. */
async function readEvenDamaged(
  place: Place,
  signal: AbortSignal,
): Promise<StoredMarker | undefined> {
  try {
    return await readMarker(place, signal);
  } catch (error) {
    if (error instanceof MirrorError && error.code === 'Claimed') return { claim: {}, etag: '' };
    throw error;
  }
}

/** The job is removed; a claim of somebody else's stays, and is returned. */
export async function releaseDestination(
  place: Place,
  claim: Owner,
  signal: AbortSignal,
): Promise<FoundMarker | undefined> {
  const found = await readMarker(place, signal);
  if (!found || !isHeld(found.claim)) return undefined;
  if (!isSameOwner(found.claim, claim)) return found.claim;
  // What lies there is under the key that was claimed with, whatever the job has by now.
  const { keyCheck, earlierChecks } = found.claim;
  const rootAttributes = claim.rootAttributes ?? found.claim.rootAttributes;
  const said = defined({ ...claim, keyCheck, earlierChecks, rootAttributes });
  await write(place, { ...said, released: true }, found, signal);
  return undefined;
}

/**
 * What is to be said there: the job's key, and of those that were said before the ones that it can read with. Attributes of
 * a root that cannot be read now stay.
 */
function withFound(claim: Owner, found: FoundMarker = {}): Owner {
  const { earlierChecks: _, ...own } = claim;
  const earlier = keysOf(found).filter((each) => opens(claim, each) && each !== own.keyCheck);
  const rootAttributes = own.rootAttributes ?? found.rootAttributes;
  return {
    ...own,
    ...defined({ rootAttributes, earlierChecks: earlier.length === 0 ? undefined : earlier }),
  };
}

function isSaid(found: FoundMarker, claim: Owner): boolean {
  const saidOf = ({ holder, keyCheck, earlierChecks, rootAttributes }: FoundMarker) =>
    [holder, keyCheck, earlierChecks, rootAttributes] as const;
  return isDeepStrictEqual(saidOf(found), saidOf(claim));
}

/** The current one first. What cannot be read of them is absent. */
function keysOf({ keyCheck, earlierChecks }: FoundMarker): readonly string[] {
  const earlier = Array.isArray(earlierChecks) ? (earlierChecks as readonly string[]) : [];
  return [...(keyCheck === undefined ? [] : [keyCheck]), ...earlier];
}

/** Whether the job can read what lies under this key; what is in clear, every job can. */
function opens({ keyCheck, earlierChecks = [] }: Owner, key: string | undefined): boolean {
  return key === undefined || key === keyCheck || earlierChecks.includes(key);
}

function isHeld({ released }: FoundMarker): boolean {
  return released !== true;
}

/** Over what was found. A service may refuse every condition: then what lies there is still as it was. */
async function write(
  place: Place,
  claim: Owner,
  found: StoredMarker | undefined,
  signal: AbortSignal,
): Promise<void> {
  const expected = found ? { ifMatch: found.etag } : ({ ifNoneMatch: '*' } as const);
  try {
    await writeMarker(place, claim, expected, signal);
  } catch (error) {
    if (!isStorageError(error, 'PreconditionFailed', 'NoSuchKey')) throw error;
    const now = await readMarker(place, signal);
    if (now?.etag !== found?.etag) return refuseForeign(now?.claim ?? {}, claim, place);
    await writeMarker(place, claim, undefined, signal);
  }
}

async function expectOwn(place: Place, claim: Owner, signal: AbortSignal): Promise<void> {
  const { holder } = claim;
  const only = holder === undefined ? claim : { ...claim, holders: [holder] };
  refuseForeign((await readMarker(place, signal))?.claim ?? {}, only, place);
}

/** A claim of a place that this one lies in. One that lies in this one shows as objects of others. */
async function refuseBelowForeign(place: Place, claim: Owner, signal: AbortSignal): Promise<void> {
  const { prefix } = place;
  for (let slash = prefix.length - 1; slash > 0;) {
    slash = prefix.lastIndexOf('/', slash - 1);
    const above = { ...place, prefix: prefix.slice(0, slash + 1) };
    const found = await readMarker(above, signal);
    if (found && isHeld(found.claim)) throw claimed(found.claim, above);
  }
}

function refuseForeign(found: FoundMarker, claim: Owner, place: Place): void {
  if (isSameOwner(found, claim)) return;
  throw isSameHost(found, claim) ? claimedByCopy(found, place) : claimed(found, place);
}

/** A job reads all that lies in its place, or nothing. */
function refuseOtherKey(found: FoundMarker, claim: Owner, place: Place): void {
  if (!opens(claim, found.keyCheck)) throw otherKey(claim, place);
  if (keysOf(found).every((key) => opens(claim, key))) return;
  throw new MirrorError(
    'OtherKey',
    `open ${place.bucket}/${place.prefix}: older versions are encrypted under an earlier key, which the job does not name ` +
      '(customerKey.earlier); name it again, or, where no version needs it any more: holdfast jobs take-over. Nothing is read or written there until then',
  );
}

function otherKey({ keyCheck }: Owner, place: Place): MirrorError {
  const reason =
    keyCheck === undefined
      ? 'its objects are encrypted under a key, and the job has none (customerKey)'
      : "its objects are encrypted under another key than the job's (customerKey)";
  return new MirrorError(
    'OtherKey',
    `open ${place.bucket}/${place.prefix}: ${reason}; give the job that key again, alone or as one of customerKey.earlier, ` +
      'or another bucket or prefix: nothing is read or written there until then',
  );
}

function claimed({ job, host, root }: FoundMarker, place: Place): MirrorError {
  return new MirrorError(
    'Claimed',
    `claim ${place.bucket}/${markerKey(place)}: it belongs to job ${job ?? '?'} of folder ${root ?? '?'} on host ${host ?? '?'}; ` +
      'use another bucket or prefix, or take the place over if that job is gone for good: holdfast jobs take-over',
  );
}

function claimedByCopy({ root, host }: FoundMarker, place: Place): MirrorError {
  return new MirrorError(
    'Claimed',
    `claim ${place.bucket}/${markerKey(place)}: another holds it as folder ${root ?? '?'} of host ${host ?? '?'}, which this one is, too: ` +
      "one of both machines is a copy of the other, or this job's state is an older one; nothing is written. Give the copy's job " +
      'another bucket or prefix; or, if this one is to go on and no other does, holdfast jobs take-over',
  );
}

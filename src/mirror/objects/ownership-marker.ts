/** The object by which a job owns its place: it names the job, the host and the folder. */

import { errorMessage } from '../../base/errors.ts';
import { bytesBody, collect } from '../../object-store/body.ts';
import type { WriteConditions } from '../../object-store/object-store.ts';
import { isDamagedWhereStored, isStorageError } from '../../object-store/storage-error.ts';
import { encodeOwnership } from './object-metadata.ts';
import { RESERVED_FOLDER } from '../model/local-path.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { Provenance } from './provenance.ts';
import type { Place } from './destination.ts';
import type { LocalEntry } from '../model/types.ts';

export interface OwnershipMarker {
  readonly job: string;
  readonly host: string;
  /** Absolute path of the mirrored folder. */
  readonly root: string;
  /** Which key its objects are encrypted under, without telling it; absent: they are in clear. */
  readonly keyCheck?: string;
  /** Which keys older versions may be under; of a claimant, which ones it can read with. Absent: none. */
  readonly earlierChecks?: readonly string[];
  /** Random, new at each start of the job: machines that are copies of one another have all the rest in common. */
  readonly holder?: string;
  /** Mode and owner of the folder, as metadata of an object: a restore of all of it needs them, and the folder has no object. */
  readonly rootAttributes?: Readonly<Record<string, string>>;
  /** Its job was removed: the place is free, and who had it may be known again. */
  readonly released?: true;
}

/** Who claims. */
export interface Owner extends OwnershipMarker {
  /** By which earlier starts of this very job may have left the claim; absent where its state knows none. */
  readonly holders?: readonly string[];
}

/** Members that cannot be read are absent. */
export type FoundMarker = Partial<OwnershipMarker>;

export interface StoredMarker {
  readonly claim: FoundMarker;
  readonly etag: string;
}

/** A claim is some short strings. */
const CLAIM_LIMIT_BYTES = 16 * 1024;

/** The job that owns the destination, or did last; undefined if none ever did. Throws MirrorError `Claimed` for a damaged claim. */
export async function readMarker(
  place: Place,
  signal: AbortSignal,
): Promise<StoredMarker | undefined> {
  const { store, bucket } = place;
  try {
    const { body, info } = await store.getObject({ bucket, key: markerKey(place) }, { signal });
    return { claim: await markerOf(body), etag: info.etag };
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey')) return undefined;
    if (isDamagedWhereStored(error)) throw damagedClaim(place, error);
    throw error;
  }
}

function damagedClaim(place: Place, cause: unknown): MirrorError {
  return new MirrorError(
    'Claimed',
    `read ${place.bucket}/${markerKey(place)}: it is damaged, so the owner of the place is not known (${errorMessage(cause)}); ` +
      'repair the store if its pages are damaged; then, if no other job uses the place: holdfast jobs take-over',
    { cause },
  );
}

/** Reads a stored claim. Rejects as the body does. */
export async function markerOf(body: AsyncIterable<Uint8Array>): Promise<FoundMarker> {
  return parseClaim(new TextDecoder().decode(await collect(body, CLAIM_LIMIT_BYTES)));
}

/** Mode and owner of a root as a claim carries them, with the proof that this job wrote them. */
export function describeRoot(
  attributes: Pick<LocalEntry, 'mode' | 'uid' | 'gid'>,
  provenance: Provenance | undefined,
): Readonly<Record<string, string>> {
  const metadata = encodeOwnership(attributes);
  return provenance?.prove({ metadata }, ROOT_OBJECT).metadata ?? metadata;
}

/** The proof of a root's attributes is that of an object with this key below the prefix, which no job stores. */
export const ROOT_OBJECT = { key: '', sizeBytes: 0 } as const;

/** Mode and owner of the folder, as metadata; empty where the claim has none that can be read. */
export function rootMetadata({ rootAttributes }: FoundMarker): Readonly<Record<string, string>> {
  const found: object =
    typeof rootAttributes === 'object' && rootAttributes !== null ? rootAttributes : {};
  return Object.fromEntries(
    Object.entries(found).filter((each): each is [string, string] => typeof each[1] === 'string'),
  );
}

/** Rejects with PreconditionFailed or NoSuchKey where the place is not as expected. */
export async function writeMarker(
  place: Place,
  claimant: Owner,
  conditions: WriteConditions | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { store, bucket } = place;
  await store.putObject(
    {
      bucket,
      key: markerKey(place),
      body: bytesBody(`${JSON.stringify({ ...claimant, holders: undefined })}\n`),
      attributes: { contentType: 'application/json' },
      ...(conditions && { conditions }),
    },
    { signal },
  );
}

export function markerKey({ prefix }: Pick<Place, 'prefix'>): string {
  return `${prefix}${RESERVED_FOLDER}/claim`;
}

/** Of this folder of this machine, or of a copy of that. */
export function isSameHost(found: FoundMarker, { host, root }: OwnershipMarker): boolean {
  return found.host === host && found.root === root;
}

export function isSameOwner(found: FoundMarker, claim: Owner): boolean {
  const { holder } = found;
  if (!isSameHost(found, claim)) return false;
  if (holder === undefined || holder === claim.holder || !claim.holders) return true;
  return claim.holders.includes(holder);
}

function parseClaim(text: string): FoundMarker {
  try {
    const claim: unknown = JSON.parse(text);
    if (typeof claim !== 'object' || claim === null) return {};
    // Compared and shown, never used: what is no text equals nothing.
    return claim;
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

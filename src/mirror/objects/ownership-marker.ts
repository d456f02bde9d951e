/** Reads and writes the ownership marker, an object that records which job, host and folder own a destination. */

import { errorMessage } from '../../base/errors.ts';
import { bytesBody, collect } from '../../object-store/body.ts';
import type { WriteConditions } from '../../object-store/object-store.ts';
import { isDamagedWhereStored, isStorageError } from '../../object-store/storage-error.ts';
import { encodeOwnership } from './object-metadata.ts';
import { RESERVED_FOLDER } from '../model/local-path.ts';
import { MirrorError } from '../model/mirror-error.ts';
import type { Provenance } from './provenance.ts';
import type { Destination } from './destination.ts';
import type { LocalEntry } from '../model/types.ts';

export interface OwnershipMarker {
  readonly job: string;
  readonly host: string;
  /** Absolute path of the mirrored folder. */
  readonly root: string;
  /**
   * Check value of the key that encrypts the objects. It identifies the key without revealing it. Absent if objects are
   * not encrypted.
   */
  readonly keyCheck?: string;
  /**
   * Check values of earlier encryption keys. In a marker, they name keys with which older versions may be encrypted.
   * In an `Owner`, they name keys with which the job can decrypt. Absent if there are no earlier keys.
   */
  readonly earlierChecks?: readonly string[];
  /** Random id of the job's current start. It distinguishes a machine from a copy of that machine. */
  readonly holder?: string;
  /**
   * Mode and owner of the mirrored folder, as object metadata. A restore of the whole folder needs them, because the
   * root folder has no object.
   */
  readonly rootAttributes?: Readonly<Record<string, string>>;
  /** Set if the job was removed. Any job may then use the destination, but the former owner is still known. */
  readonly released?: true;
}

/** The identity of a job that writes or checks a marker. */
export interface Owner extends OwnershipMarker {
  /**
   * Values of `holder` from earlier starts of this job, one of which may be in the marker. Absent if the job's state
   * has none.
   */
  readonly holders?: readonly string[];
}

/** A marker as read from the bucket. Invalid fields are absent. */
export type FoundMarker = Partial<OwnershipMarker>;

export interface StoredMarker {
  readonly marker: FoundMarker;
  readonly etag: string;
  /** When the marker was last written, in milliseconds since 1970. */
  readonly writtenAt: number;
}

/** Maximum size of a marker in bytes. A marker contains only a few short strings. */
const CLAIM_LIMIT_BYTES = 16 * 1024;

/**
 * Reads the marker of the current or last owner; returns undefined if none exists. Throws MirrorError `Claimed`
 * for a damaged marker. `job` is the job's name for the command in the error's hint.
 */
export async function readMarker(
  destination: Destination,
  signal: AbortSignal,
  job = 'JOB',
): Promise<StoredMarker | undefined> {
  const { store, bucket } = destination;
  try {
    const { body, info } = await store.getObject(
      { bucket, key: markerKey(destination) },
      { signal },
    );
    return { marker: await markerOf(body), etag: info.etag, writtenAt: info.lastModifiedAt };
  } catch (error) {
    if (isStorageError(error, 'NoSuchKey')) return undefined;
    if (isDamagedWhereStored(error)) throw damagedClaim(destination, job, error);
    throw error;
  }
}

function damagedClaim(destination: Destination, job: string, cause: unknown): MirrorError {
  return new MirrorError(
    'Claimed',
    `cannot back up to ${destination.bucket}/${destination.prefix}: the ownership marker is damaged, so the owner is unknown (${errorMessage(cause)}); ` +
      `repair the store if its pages are damaged; then, if no other job uses this destination, run: \`holdfast job take-over ${job}\``,
    { cause },
  );
}

/** Parses a stored marker. Rejects with the errors from reading the body. */
export async function markerOf(body: AsyncIterable<Uint8Array>): Promise<FoundMarker> {
  return parseClaim(new TextDecoder().decode(await collect(body, CLAIM_LIMIT_BYTES)));
}

/** Returns the root's mode and owner for the marker, with a proof that this job wrote them. */
export function describeRoot(
  attributes: Pick<LocalEntry, 'mode' | 'uid' | 'gid'>,
  provenance: Provenance | undefined,
): Readonly<Record<string, string>> {
  const metadata = encodeOwnership(attributes);
  return provenance?.prove({ metadata }, ROOT_OBJECT).metadata ?? metadata;
}

/** Object name in the proof of the root's attributes. No job stores an object with this empty key. */
export const ROOT_OBJECT = { key: '', sizeBytes: 0 } as const;

/** Returns the root's mode and owner as metadata; empty if the marker contains no valid attributes. */
export function rootMetadata({ rootAttributes }: FoundMarker): Readonly<Record<string, string>> {
  const found: object =
    typeof rootAttributes === 'object' && rootAttributes !== null ? rootAttributes : {};
  return Object.fromEntries(
    Object.entries(found).filter((each): each is [string, string] => typeof each[1] === 'string'),
  );
}

/**
 * Writes the marker. Rejects with PreconditionFailed or NoSuchKey if another version is current than the conditions
 * expect.
 */
export async function writeMarker(
  destination: Destination,
  owner: Owner,
  conditions: WriteConditions | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { store, bucket } = destination;
  await store.putObject(
    {
      bucket,
      key: markerKey(destination),
      body: bytesBody(`${JSON.stringify({ ...owner, holders: undefined })}\n`),
      attributes: { contentType: 'application/json' },
      ...(conditions && { conditions }),
    },
    { signal },
  );
}

export function markerKey({ prefix }: Pick<Destination, 'prefix'>): string {
  return `${prefix}${RESERVED_FOLDER}/claim`;
}

/** Returns whether a marker was written for this folder on this machine, or on a copy of this machine. */
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
    // The field types are not checked, because the values are only compared and displayed.
    return claim;
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

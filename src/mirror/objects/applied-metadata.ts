/**
 * Selects which attributes of an object a restore applies. Owner and mode bits 07000 are applied only if an HMAC proves
 * that the job wrote the version's metadata.
 */

import type { ObjectInfo } from '../../object-store/object-store.ts';
import { decodeAttributes, type StoredAttributes } from './object-metadata.ts';
import { hasPrivileges, plainMetadata, RESTORES_OWNERS } from './privileges.ts';
import type { Described } from './provenance.ts';

export interface MetadataProof {
  /** Prefix of the job's keys. It is empty or ends in `/`. */
  readonly prefix: string;
  /**
   * Returns whether the job wrote an object's metadata. The object's key is relative to the prefix. If the function is
   * absent, no metadata counts as proven.
   */
  readonly isProven?: (object: Described) => boolean;
  /** Returns metadata to apply instead of the object's own metadata. The key is relative to the prefix. */
  readonly metadataOf?: (key: string) => Readonly<Record<string, string>> | undefined;
}

export interface AppliedAttributes extends StoredAttributes {
  /** If set, mode bits 07000 of an existing file or folder are not compared or changed. */
  readonly isUnproven?: true;
}

/**
 * Returns the metadata that a restore applies. `key` is the full key. `onWithheld` is called if an attribute is dropped
 * although this process could set it.
 */
export function appliedInfo(
  { key: fullKey, info }: { readonly key: string; readonly info: ObjectInfo },
  { prefix, isProven = () => false, metadataOf }: MetadataProof,
  onWithheld?: () => void,
): KeptInfo {
  const { metadata: stored = {}, sizeBytes, lastModifiedAt } = info;
  const key = fullKey.slice(prefix.length);
  const metadata = { ...stored, ...metadataOf?.(key) };
  if (isProven({ key, sizeBytes, metadata: stored }))
    return { metadata, lastModifiedAt, isProven: true };
  if (hasPrivileges(decodeAttributes(stored))) onWithheld?.();
  return { metadata: plainMetadata(metadata), lastModifiedAt, isProven: false };
}

export function attributesIn({
  metadata,
  isProven,
}: Pick<KeptInfo, 'metadata' | 'isProven'>): AppliedAttributes {
  return { ...decodeAttributes(metadata), ...(!isProven && { isUnproven: true }) };
}

const MODE_BITS = 0o7777;
const PLAIN_MODE_BITS = 0o777;

/** Returns whether a file or folder already has the wanted mode. */
export function hasMode(found: bigint, { mode, isUnproven }: AppliedAttributes): boolean {
  return (
    mode === undefined || (Number(found) & (isUnproven ? PLAIN_MODE_BITS : MODE_BITS)) === mode
  );
}

interface Owner<Id> {
  readonly uid: Id;
  readonly gid: Id;
}

/** Returns the wanted owner unless it is unknown, is already set, or cannot be set by this process. */
export function ownerToSet(
  found: Owner<bigint>,
  { uid, gid }: AppliedAttributes,
): Owner<number> | undefined {
  if (!RESTORES_OWNERS || uid === undefined || gid === undefined) return undefined;
  return Number(found.uid) === uid && Number(found.gid) === gid ? undefined : { uid, gid };
}

/** The parts of an object's response that a restore needs later, when it creates a link or folder. */
export interface KeptInfo {
  /** The metadata. It includes owner and mode bits 07000 only if the job is proven to have written them. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly lastModifiedAt: number;
  readonly isProven: boolean;
}

/**
 * Which attributes of an object a restore applies. Owner and mode bits 07000 are applied only if the version
 * is proven to be the job's.
 */

import type { ObjectInfo } from '../../object-store/object-store.ts';
import { decodeAttributes, type StoredAttributes } from './object-metadata.ts';
import { hasPrivileges, plainMetadata } from './privileges.ts';
import type { Described } from './provenance.ts';

export interface MetadataProof {
  /** Empty, or ends in `/`. */
  readonly prefix: string;
  /**
   * Whether the job wrote the metadata of an object, whose key is below the prefix. Absent: no object is
   * proven.
   */
  readonly isProven?: (object: Described) => boolean;
}

export interface AppliedAttributes extends StoredAttributes {
  /** If set, mode bits 07000 of an existing file or folder are not compared, and stay. */
  readonly isUnproven?: true;
}

/** `key` is the full key. `onWithheld` is called if an attribute is dropped that this user could set. */
export function appliedInfo(
  { key, info }: { readonly key: string; readonly info: ObjectInfo },
  { prefix, isProven = () => false }: MetadataProof,
  onWithheld?: () => void,
): KeptInfo {
  const { metadata = {}, sizeBytes, lastModifiedAt } = info;
  if (isProven({ key: key.slice(prefix.length), sizeBytes, metadata }))
    return { metadata, lastModifiedAt, isProven: true };
  if (hasPrivileges(decodeAttributes(metadata))) onWithheld?.();
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

/** Whether a file or folder with this mode needs no change of mode. */
export function hasMode(found: bigint, { mode, isUnproven }: AppliedAttributes): boolean {
  return (
    mode === undefined || (Number(found) & (isUnproven ? PLAIN_MODE_BITS : MODE_BITS)) === mode
  );
}

/** The parts of an object's response that a link or folder needs later. */
export interface KeptInfo {
  /** Without owner and mode bits 07000, unless the version is proven to be the job's. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly lastModifiedAt: number;
  readonly isProven: boolean;
}

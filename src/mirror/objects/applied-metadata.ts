/** Which attributes of an object a restore applies: owner and mode bits 07000 only of versions that are proven to be the job's. */

import type { ObjectInfo } from '../../object-store/object-store.ts';
import { decodeAttributes, type StoredAttributes } from './object-metadata.ts';
import { hasPrivileges, plainMetadata } from './privileges.ts';
import type { Described } from './provenance.ts';

export interface MetadataProof {
  /** Empty, or ends in `/`. */
  readonly prefix: string;
  /** Whether the job wrote the metadata of an object, whose key is below the prefix. Absent: of no object. */
  readonly isProven?: (object: Described) => boolean;
}

export interface AppliedAttributes extends StoredAttributes {
  /** Mode bits 07000 that a file or folder has already are compared with nothing, and stay. */
  readonly isUnproven?: true;
}

/** `key` is the whole one. `onWithheld` is called where something is left out that this user could set. */
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

/** Whether a file or folder with this mode needs no other one. */
export function hasMode(found: bigint, { mode, isUnproven }: AppliedAttributes): boolean {
  return (
    mode === undefined || (Number(found) & (isUnproven ? PLAIN_MODE_BITS : MODE_BITS)) === mode
  );
}

/** An object's answer, as a link or a folder needs it later. */
export interface KeptInfo {
  /** Without owner and mode bits 07000 where the version is not proven to be the job's. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly lastModifiedAt: number;
  readonly isProven: boolean;
}

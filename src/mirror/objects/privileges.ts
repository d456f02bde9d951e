/**
 * Handles privileged attributes: mode bits 07000 and the owner. They can let a file run as, or belong to, another user
 * of this machine. Any client with write access to the bucket can set them in metadata, so they are trusted only in
 * versions that the job uploaded.
 */

import { decodeAttributes, formatMode, type StoredAttributes } from './object-metadata.ts';

type Metadata = Readonly<Record<string, string>>;

/** Whether restores set file owners. Only root may change owners. */
export const RESTORES_OWNERS = process.getuid?.() === 0;

/** The mode bits set-user-ID, set-group-ID and sticky. */
export const SPECIAL_MODE_BITS = 0o7000;

/** Returns an object's metadata without privileged attributes. */
export function plainMetadata(metadata: Metadata = {}): Metadata {
  const { 'holdfast-uid': _uid, 'holdfast-gid': _gid, ...others } = metadata;
  const { mode } = decodeAttributes(metadata);
  if (mode === undefined) return others;
  return { ...others, 'holdfast-mode': formatMode(mode & ~SPECIAL_MODE_BITS) };
}

/** Returns whether `plainMetadata` drops an attribute that this process could set. Symbolic links have no mode. */
export function hasPrivileges({ kind, mode = 0, uid, gid }: StoredAttributes): boolean {
  if (kind !== 'symlink' && (mode & SPECIAL_MODE_BITS) !== 0) return true;
  if (!RESTORES_OWNERS || uid === undefined || gid === undefined) return false;
  return uid !== process.getuid?.() || gid !== process.getgid?.();
}

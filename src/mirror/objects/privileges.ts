/**
 * Attributes by which a file runs with, or belongs to, another user of this machine: mode bits 07000, and the owner. Any client
 * that may write to the bucket chooses what its objects say of them, so only versions that the job uploaded are believed.
 */

import { decodeAttributes, formatMode, type StoredAttributes } from './object-metadata.ts';

type Metadata = Readonly<Record<string, string>>;

/** Whether files get back their owners: only root may give files away. */
export const RESTORES_OWNERS = process.getuid?.() === 0;

/** Set-user-ID, set-group-ID and sticky. */
export const SPECIAL_MODE_BITS = 0o7000;

/** The metadata of an object without them. */
export function plainMetadata(metadata: Metadata = {}): Metadata {
  const { 'holdfast-uid': _uid, 'holdfast-gid': _gid, ...others } = metadata;
  const { mode } = decodeAttributes(metadata);
  if (mode === undefined) return others;
  return { ...others, 'holdfast-mode': formatMode(mode & ~SPECIAL_MODE_BITS) };
}

/** Whether `plainMetadata` leaves something out that this user could set: links have no mode. */
export function hasPrivileges({ kind, mode = 0, uid, gid }: StoredAttributes): boolean {
  if (kind !== 'symlink' && (mode & SPECIAL_MODE_BITS) !== 0) return true;
  const isOther = uid !== process.getuid?.() || gid !== process.getgid?.();
  return RESTORES_OWNERS && uid !== undefined && gid !== undefined && isOther;
}

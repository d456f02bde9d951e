/**
 * Finds the bucket and the key that a request addresses. The bucket is in the path, or in the host as
 * `<bucket>.<base>[:port]` for a configured base name (semantics B.17). Requests to other host names and to IP
 * addresses are path-style.
 */

import { checkBucketName } from '../object-store/rules/naming.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { parsePath, type Target } from '../protocol/paths.ts';
import { percentDecode } from '../protocol/percent.ts';

export interface Addressed {
  readonly target: Target;
  /** The bucket that the host names. Absent if the bucket is in the path. */
  readonly bucketOfHost?: string;
}

/**
 * Matches a host name, an IPv4 address or an IPv6 address, with an optional port. Underscores are allowed, because
 * names of containers can have them.
 */
const HOST = /^(\[[0-9a-fA-F:.]{2,45}\]|[A-Za-z0-9._-]{0,255})(?::[0-9]{0,5})?$/;

/**
 * Returns the bucket and the key that a request addresses. Throws InvalidRequest for an invalid host, InvalidBucketName
 * for an invalid bucket name in the host, and the errors of `parsePath`.
 */
export function addressOf(
  { path, host }: { readonly path: string; readonly host: string },
  baseNames: readonly string[],
): Addressed {
  const bucketOfHost = bucketIn(host, baseNames);
  if (bucketOfHost === undefined) return { target: parsePath(path) };
  if (!path.startsWith('/')) throw new StorageError('InvalidURI', 'read URI: it must start with /');
  const key = percentDecode(path.slice(1));
  const target = key === '' ? { bucket: bucketOfHost } : { bucket: bucketOfHost, key };
  return { target, bucketOfHost };
}

/**
 * Returns the part of the host before the longest matching base name, or undefined if no base name matches. Base names
 * can contain dots. Throws InvalidRequest for an invalid host, and InvalidBucketName for an invalid bucket name.
 */
export function bucketIn(host: string, baseNames: readonly string[]): string | undefined {
  const name = HOST.exec(host)?.[1]?.toLowerCase().replace(/\.$/, '');
  if (name === undefined) {
    throw new StorageError(
      'InvalidRequest',
      'read headers: host is not a valid host name or address',
      {
        details: { Header: 'host' },
      },
    );
  }
  if (baseNames.includes(name)) return undefined;
  const bases = baseNames.filter((base) => name.endsWith(`.${base}`));
  if (bases.length === 0) return undefined;
  const longest = Math.max(...bases.map((base) => base.length));
  const bucket = name.slice(0, -longest - 1);
  checkBucketName(bucket);
  return bucket;
}

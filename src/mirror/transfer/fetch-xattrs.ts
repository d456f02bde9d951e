/** Downloads extended attributes that are stored in a separate object, because they are too large for metadata. */

import { hash } from 'node:crypto';

import { collect } from '../../object-store/body.ts';
import type { ObjectReader } from '../../object-store/object-store.ts';
import { attributesKey, type StoredAttributes } from '../objects/object-metadata.ts';
import { MirrorError } from '../model/mirror-error.ts';

/**
 * Maximum size of the stored attributes, in bytes. Linux limits each value to 64 KiB, and most file systems limit all
 * values of a file to less than this maximum.
 */
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

export interface AttributesSource {
  readonly store: ObjectReader;
  readonly bucket: string;
  readonly prefix: string;
}

/**
 * Adds the extended attributes that are stored in a separate object. Rejects with the store's errors, or with
 * MirrorError `ContentDiffers` if that object is damaged.
 */
export async function withXattrs<T extends StoredAttributes>(
  { store, bucket, prefix }: AttributesSource,
  attributes: T,
  signal: AbortSignal,
): Promise<T> {
  const { xattrsElsewhere } = attributes;
  if (xattrsElsewhere === undefined) return attributes;
  const key = prefix + attributesKey(xattrsElsewhere);
  const { body } = await store.getObject({ bucket, key }, { signal });
  const xattrs = Buffer.from(await collect(body, MAX_TEXT_BYTES)).toString();
  if (hash('sha256', xattrs) === xattrsElsewhere) return { ...attributes, xattrs };
  throw new MirrorError(
    'ContentDiffers',
    `the extended attributes in ${key} are damaged: their SHA-256 is not the one in the key`,
  );
}

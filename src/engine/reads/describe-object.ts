/** Reads the attributes of an object for GetObjectAttributes. */

import { defined } from '../../base/defined.ts';
import type { Caller } from '../../object-store/caller.ts';
import type {
  GetObjectAttributesRequest,
  ObjectAttributeName,
  ObjectDescription,
} from '../../object-store/object-attributes.ts';
import { pageSize } from '../../object-store/rules/listing.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import { allow } from '../access/access.ts';
import type { MetadataReader } from './metadata-reader.ts';
import { existingBucket, selectObject } from './read-object.ts';

/**
 * Returns the requested attributes of an object. Throws the errors of `selectObject`, `AccessDenied`, and
 * `InvalidArgument` if the request names no attribute.
 */
export function describeObject(
  reader: MetadataReader,
  caller: Caller,
  { wanted, maxParts, partNumberMarker = 0, ...ref }: GetObjectAttributesRequest,
): ObjectDescription {
  const limit = pageSize(maxParts, 'max-parts');
  if (wanted.length === 0) throw nothingWanted();
  const ifWanted = <T>(name: ObjectAttributeName, value: () => T) =>
    wanted.includes(name) ? value() : undefined;
  return reader.snapshot(() => {
    const { row, head } = selectObject(reader, caller, { ...ref, withChecksum: true });
    const { key, versionId: named } = ref;
    const action = named === undefined ? 'GetObjectAttributes' : 'GetObjectVersionAttributes';
    const asked = () => ({ 's3:versionid': named });
    allow(caller, existingBucket(reader, ref.bucket), { action, key, version: row, asked });
    const { lastModifiedAt, versionId, etag, checksum, sizeBytes } = head.info;
    return defined({
      lastModifiedAt,
      versionId,
      etag: ifWanted('ETag', () => etag),
      checksum: ifWanted('Checksum', () => checksum),
      parts: ifWanted('ObjectParts', () =>
        reader.parts.page(row, { marker: partNumberMarker, limit }),
      ),
      storageClass: ifWanted('StorageClass', () => 'STANDARD' as const),
      sizeBytes: ifWanted('ObjectSize', () => sizeBytes),
    });
  });
}

function nothingWanted(): StorageError {
  return new StorageError('InvalidArgument', 'read attributes: the request names no attribute', {
    details: { ArgumentName: 'object-attributes' },
  });
}

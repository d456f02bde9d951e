/**
 * Defines the copy of a part from an existing object (UploadPartCopy). For stores that cannot copy a part themselves,
 * implements the copy by reading and writing the bytes.
 */

import { defined } from '../base/defined.ts';
import { discard } from './body.ts';
import type { CustomerKey } from './customer-key.ts';
import type { MultipartWriter, UploadPartResult, UploadRef } from './multipart.ts';
import type {
  ByteRange,
  CallOptions,
  ObjectContent,
  ObjectReader,
  ObjectRef,
  ReadConditions,
} from './object-store.ts';
import { isStorageError, StorageError } from './storage-error.ts';

export interface CopyPartRequest extends UploadRef {
  /** The part number, 1 to 10,000. */
  readonly partNumber: number;
  readonly source: ObjectRef;
  /**
   * The bytes of the source to copy. The range must have a first and a last byte. If absent, the whole source is
   * copied.
   */
  readonly range?: ByteRange;
  readonly sourceConditions?: ReadConditions;
  /** The customer key of the source, if the source is encrypted with one. */
  readonly sourceCustomerKey?: CustomerKey;
  /** The customer key with which the upload was created, if any. */
  readonly customerKey?: CustomerKey;
}

export interface CopyPartResult extends UploadPartResult {
  readonly lastModifiedAt: number;
  readonly sourceVersionId?: string;
}

export interface PartCopier {
  /**
   * Copies the source, or a range of it, to a part of the upload. Rejects with `InvalidArgument` for a range without a
   * last byte, and with `InvalidRange` for a range that ends beyond the source.
   */
  copyPart(request: CopyPartRequest, options?: CallOptions): Promise<CopyPartResult>;
}

/** Copies a part by reading the source and uploading its bytes. `now` returns the modification time of the part. */
export async function copyPartByReading(
  store: Pick<ObjectReader, 'getObject'> & Pick<MultipartWriter, 'uploadPart'>,
  { source, range, sourceConditions, sourceCustomerKey, ...part }: CopyPartRequest,
  { signal, now }: CallOptions & { readonly now: () => number },
): Promise<CopyPartResult> {
  const call = defined({ signal });
  if (range !== undefined && !('last' in range)) {
    throw new StorageError(
      'InvalidArgument',
      'copy part: the source range must have the form bytes=FIRST-LAST',
      {
        details: { ArgumentName: 'copy-source-range' },
      },
    );
  }
  const read = { ...source, range, conditions: sourceConditions, customerKey: sourceCustomerKey };
  const content = await store.getObject(defined(read), call).catch((error: unknown) => {
    throw toCopyError(error);
  });
  const sizeBytes = sizeOf(content);
  if (range?.last !== undefined && sizeBytes !== range.last - range.first + 1) {
    await discard(content.body);
    throw new StorageError(
      'InvalidRange',
      'copy part: the range extends beyond the end of the source',
      {
        details: {
          RangeRequested: `bytes=${range.first}-${range.last}`,
          ActualObjectSize: content.info.sizeBytes,
        },
      },
    );
  }
  const body = { sizeBytes, replayable: false, open: () => content.body };
  try {
    const copied = await store.uploadPart({ ...part, body }, call);
    const { versionId: sourceVersionId } = content.info;
    return defined({ ...copied, lastModifiedAt: now(), sourceVersionId });
  } catch (error) {
    await discard(content.body);
    throw error;
  }
}

/**
 * Converts an error of reading the source to an error of the copy. `NotModified` becomes `PreconditionFailed`, because
 * the status 304 exists only for reads. If the source version is a delete marker, `MethodNotAllowed` becomes
 * `InvalidRequest`, because the source is invalid, not the method.
 */
function toCopyError(error: unknown): unknown {
  if (isStorageError(error, 'NotModified')) {
    const { Condition = '' } = error.details;
    return new StorageError('PreconditionFailed', error.message, { details: { Condition } });
  }
  if (isStorageError(error, 'MethodNotAllowed')) {
    return new StorageError('InvalidRequest', `copy part: ${error.message}`);
  }
  return error;
}

function sizeOf({ info, range }: ObjectContent): number {
  return range === undefined ? info.sizeBytes : range.last - range.first + 1;
}

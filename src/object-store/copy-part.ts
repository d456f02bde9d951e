/** A part of an upload whose bytes are those of another object: the role, and how a store without a shorter way does it. */

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
  /** 1 to 10,000. */
  readonly partNumber: number;
  readonly source: ObjectRef;
  /** With both ends. Absent for the whole source. */
  readonly range?: ByteRange;
  readonly sourceConditions?: ReadConditions;
  /** Of the source, and of the upload, where they are encrypted under one. */
  readonly sourceCustomerKey?: CustomerKey;
  readonly customerKey?: CustomerKey;
}

export interface CopyPartResult extends UploadPartResult {
  readonly lastModifiedAt: number;
  readonly sourceVersionId?: string;
}

export interface PartCopier {
  /** `InvalidArgument` for a range without both ends, `InvalidRange` for one that leaves the source. */
  copyPart(request: CopyPartRequest, options?: CallOptions): Promise<CopyPartResult>;
}

/** Reads the source and writes the part. `now`: what the part was last modified at. */
export async function copyPartByReading(
  store: Pick<ObjectReader, 'getObject'> & Pick<MultipartWriter, 'uploadPart'>,
  { source, range, sourceConditions, sourceCustomerKey, ...part }: CopyPartRequest,
  { signal, now }: CallOptions & { readonly now: () => number },
): Promise<CopyPartResult> {
  const call = defined({ signal });
  if (range !== undefined && !('last' in range)) {
    throw new StorageError('InvalidArgument', 'copy part: the range must be bytes=first-last', {
      details: { ArgumentName: 'copy-source-range' },
    });
  }
  const read = { ...source, range, conditions: sourceConditions, customerKey: sourceCustomerKey };
  const content = await store.getObject(defined(read), call).catch((error: unknown) => {
    throw asRefusedSource(error);
  });
  const sizeBytes = sizeOf(content);
  if (range?.last !== undefined && sizeBytes !== range.last - range.first + 1) {
    await discard(content.body);
    throw new StorageError('InvalidRange', 'copy part: the range reaches beyond the source', {
      details: {
        RangeRequested: `bytes=${range.first}-${range.last}`,
        ActualObjectSize: content.info.sizeBytes,
      },
    });
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
 * To a copy, a source that is not modified is a condition that failed, since 304 answers reads alone; and a delete
 * marker that was asked for by its id is a wrong source, not a wrong method.
 */
function asRefusedSource(error: unknown): unknown {
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

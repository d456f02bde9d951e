/** Copies a range of an object into a part, through a port that reads objects and takes parts. */

import { defined } from '../base/defined.ts';
import type { ObjectContent } from '../object-store/object-store.ts';
import { isStorageError, StorageError } from '../object-store/storage-error.ts';
import type { Input, Output } from '../protocol/operations.ts';
import type { Call } from './handlers.ts';

/** Throws InvalidArgument for a range without both ends, InvalidRange for one that leaves the source. */
export async function copyPart(
  { source, range, sourceConditions, ...part }: Input<'UploadPartCopy'>,
  { store, signal, clock }: Pick<Call, 'clock' | 'signal' | 'store'>,
): Promise<Output<'UploadPartCopy'>> {
  if (range !== undefined && !('last' in range)) {
    throw new StorageError('InvalidArgument', 'copy part: the range must be bytes=first-last', {
      details: { ArgumentName: 'copy-source-range' },
    });
  }
  const content = await store
    .getObject(defined({ ...source, range, conditions: sourceConditions }), { signal })
    .catch((error: unknown) => {
      throw asRefusedSource(error);
    });
  const sizeBytes = sizeOf(content);
  if (range?.last !== undefined && sizeBytes !== range.last - range.first + 1) {
    await close(content);
    throw new StorageError('InvalidRange', 'copy part: the range reaches beyond the source', {
      details: {
        RangeRequested: `bytes=${range.first}-${range.last}`,
        ActualObjectSize: content.info.sizeBytes,
      },
    });
  }
  const body = { sizeBytes, replayable: false, open: () => content.body };
  try {
    const copied = await store.uploadPart({ ...part, body }, { signal });
    const { versionId: sourceVersionId } = content.info;
    return defined({ ...copied, lastModifiedAt: clock.now(), sourceVersionId });
  } catch (error) {
    await close(content);
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

/** The source is open until its body is returned. */
async function close({ body }: ObjectContent): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

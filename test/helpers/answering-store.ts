/** Wraps an object store and imitates services that ignore or refuse the conditions of a write. */

import type {
  Answer,
  Capabilities,
  WriteAnswers,
  WriteKind,
} from '../../src/mirror/capabilities/capabilities.ts';
import type { ObjectStore, WriteConditions } from '../../src/object-store/object-store.ts';
import { StorageError } from '../../src/object-store/storage-error.ts';
import { overriding } from './forgetful-store.ts';

export type Answers = Pick<Capabilities, WriteKind>;

const PASSED_OVER = { ifMatch: 'passed over', ifNoneMatch: 'passed over' } as const;

/** A service that ignores every condition and performs the write. */
export const HONOURS_NONE: Answers = {
  put: PASSED_OVER,
  complete: PASSED_OVER,
  copy: PASSED_OVER,
  delete: { ifMatch: 'passed over' },
};

/** radosgw 16 in a bucket with versioning: it refuses every PUT with If-Match and ignores all other conditions. */
export const AS_RADOSGW: Answers = {
  ...HONOURS_NONE,
  put: { ifMatch: 'refused', ifNoneMatch: 'passed over' },
};

/**
 * radosgw 16 in a bucket without versioning: If-Match on PUT works only with an unquoted ETag, If-None-Match works.
 */
export const AS_RADOSGW_UNVERSIONED: Answers = {
  ...HONOURS_NONE,
  put: { ifMatch: 'unquoted', ifNoneMatch: 'honoured' },
};

export function answeringStore(inner: ObjectStore, answers: Answers): ObjectStore {
  const asReported = <R extends { readonly conditions?: WriteConditions }>(
    write: WriteKind,
    request: R,
  ): R => {
    const { conditions, ...bare } = request;
    if (!conditions) return request;
    const { isUnquoted, ...expected } = conditions;
    const returned: Partial<WriteAnswers> = answers[write];
    const answer: Answer | undefined =
      expected.ifMatch === undefined ? returned.ifNoneMatch : returned.ifMatch;
    if (answer === 'passed over') return bare as R;
    if (answer === 'refused' || (answer === 'unquoted' && !isUnquoted))
      throw new StorageError('PreconditionFailed', 'the service says PreconditionFailed');
    return { ...request, conditions: expected };
  };
  return overriding(inner, {
    putObject: async (request, options) => inner.putObject(asReported('put', request), options),
    copyObject: async (request, options) => inner.copyObject(asReported('copy', request), options),
    completeUpload: async (request, options) =>
      inner.completeUpload(asReported('complete', request), options),
    deleteObject: async (request, options) =>
      inner.deleteObject(asReported('delete', request), options),
  });
}

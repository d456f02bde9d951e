/** Wraps an object store and imitates services that ignore or refuse conditional writes. */

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

/** Imitates a service that performs every conditional write and ignores the condition. */
export const HONOURS_NONE: Answers = {
  put: PASSED_OVER,
  complete: PASSED_OVER,
  copy: PASSED_OVER,
  delete: { ifMatch: 'passed over' },
};

/**
 * Imitates radosgw 16 with a versioned bucket. The service refuses every PUT with If-Match and
 * ignores all other conditions.
 */
export const AS_RADOSGW: Answers = {
  ...HONOURS_NONE,
  put: { ifMatch: 'refused', ifNoneMatch: 'passed over' },
};

/**
 * Imitates radosgw 16 with an unversioned bucket. A PUT with If-Match succeeds only if the ETag has
 * no quotes. If-None-Match works.
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

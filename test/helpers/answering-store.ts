/** A real store behind a service that does with the conditions of each write as it is told. */

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

/** Does every write, whatever it expects. */
export const HONOURS_NONE: Answers = {
  put: PASSED_OVER,
  complete: PASSED_OVER,
  copy: PASSED_OVER,
  delete: { ifMatch: 'passed over' },
};

/** As radosgw 16 does in a bucket with versions: a put under If-Match is never taken, all else passed over. */
export const AS_RADOSGW: Answers = {
  ...HONOURS_NONE,
  put: { ifMatch: 'refused', ifNoneMatch: 'passed over' },
};

/** As radosgw 16 does in a bucket without. */
export const AS_RADOSGW_UNVERSIONED: Answers = {
  ...HONOURS_NONE,
  put: { ifMatch: 'unquoted', ifNoneMatch: 'honoured' },
};

export function answeringStore(inner: ObjectStore, answers: Answers): ObjectStore {
  const asTold = <R extends { readonly conditions?: WriteConditions }>(
    write: WriteKind,
    request: R,
  ): R => {
    const { conditions, ...bare } = request;
    if (!conditions) return request;
    const { isUnquoted, ...expected } = conditions;
    const told: Partial<WriteAnswers> = answers[write];
    const answer: Answer | undefined =
      expected.ifMatch === undefined ? told.ifNoneMatch : told.ifMatch;
    if (answer === 'passed over') return bare as R;
    if (answer === 'refused' || (answer === 'unquoted' && !isUnquoted))
      throw new StorageError('PreconditionFailed', 'the service says PreconditionFailed');
    return { ...request, conditions: expected };
  };
  return overriding(inner, {
    putObject: async (request, options) => inner.putObject(asTold('put', request), options),
    copyObject: async (request, options) => inner.copyObject(asTold('copy', request), options),
    completeUpload: async (request, options) =>
      inner.completeUpload(asTold('complete', request), options),
    deleteObject: async (request, options) =>
      inner.deleteObject(asTold('delete', request), options),
  });
}

/**
 * Describes how a service handles conditional writes. A capability probe determines that, because services silently
 * ignore conditions.
 */

import type { BucketKind } from '../model/types.ts';

/**
 * How a service handles a condition. `honoured`: it evaluates the condition. `unquoted`: it evaluates the condition if
 * the ETag has no quotes. `refused`: it rejects the write even if the condition is met. `passed over`: it ignores the
 * condition.
 */
export type Answer = 'honoured' | 'unquoted' | 'refused' | 'passed over';

/** The requests that create a version or a delete marker. `complete` is the completion of a multipart upload. */
export type WriteKind = 'put' | 'complete' | 'copy' | 'delete';

export interface WriteAnswers {
  readonly ifMatch: Answer;
  readonly ifNoneMatch: Answer;
}

/** Whether a new version has the lock that its write requested. */
export type LockAnswer = 'kept' | 'dropped';

/** Whether versions preserve their dates when their locks, tags or ACL change. */
export type DatesAnswer = 'kept' | 'changed';

export interface Capabilities {
  readonly put: WriteAnswers;
  readonly complete: WriteAnswers;
  readonly copy: WriteAnswers;
  readonly delete: Pick<WriteAnswers, 'ifMatch'>;
  /**
   * Whether multipart uploads and copies get the requested lock; absent if the bucket has no Object Lock or the
   * credentials do not allow the probe.
   */
  readonly locksOfUploads?: LockAnswer;
  readonly locksOfCopies?: LockAnswer;
  /**
   * Whether the service preserves the dates of versions; absent if the bucket has no versioning or the credentials do
   * not allow the probe.
   */
  readonly versionDates?: DatesAnswer;
}

/**
 * How the job protects writes of other clients. `conditions`: none is overwritten unnoticed. `proof`: one may be
 * overwritten, which is then detected and recorded. `unguarded`: one may be lost.
 */
export type WriteGuarding = 'conditions' | 'proof' | 'unguarded';

const ALL = { ifMatch: 'honoured', ifNoneMatch: 'honoured' } as const;

/** The capabilities of the embedded store. */
export const EVALUATES_ALL: Capabilities = {
  put: ALL,
  complete: ALL,
  copy: ALL,
  delete: ALL,
  versionDates: 'kept',
};

/** The writes that must be conditional in a bucket without versioning. A copy can be replaced by an upload. */
const NEEDED: readonly WriteKind[] = ['put', 'complete', 'delete'];

export function isEvaluated(answer: Answer | undefined): boolean {
  return answer === undefined || answer === 'honoured' || answer === 'unquoted';
}

export function answerOf(
  capabilities: Capabilities,
  write: WriteKind,
  condition: keyof WriteAnswers,
): Answer | undefined {
  const answers: Partial<WriteAnswers> = capabilities[write];
  return answers[condition];
}

export function evaluatesAll(capabilities: Capabilities, write: WriteKind): boolean {
  const answers: Partial<WriteAnswers> = capabilities[write];
  return isEvaluated(answers.ifMatch) && isEvaluated(answers.ifNoneMatch);
}

/** Returns how writes of other clients are protected in a bucket of this kind. */
export function guardingOf(capabilities: Capabilities, bucket: BucketKind): WriteGuarding {
  if (bucket === 'unversioned')
    return NEEDED.every((write) => evaluatesAll(capabilities, write)) ? 'conditions' : 'unguarded';
  return WRITES.every((write) => evaluatesAll(capabilities, write)) ? 'conditions' : 'proof';
}

const WRITES: readonly WriteKind[] = [...NEEDED, 'copy'];

/** Names of the operations in messages. */
const OPERATIONS: Readonly<Record<WriteKind, string>> = {
  put: 'PutObject',
  complete: 'CompleteMultipartUpload',
  copy: 'CopyObject',
  delete: 'DeleteObject',
};

/**
 * Lists each kind of write with the conditions that the service does not evaluate; an empty list if it evaluates all.
 */
export function shortcomings(capabilities: Capabilities): readonly string[] {
  return WRITES.flatMap((write) => {
    const { ifMatch, ifNoneMatch }: Partial<WriteAnswers> = capabilities[write];
    const names = [
      ...(isEvaluated(ifMatch) ? [] : [`If-Match is ${textOf(ifMatch)}`]),
      ...(isEvaluated(ifNoneMatch) ? [] : [`If-None-Match is ${textOf(ifNoneMatch)}`]),
    ];
    return names.length === 0 ? [] : [`${OPERATIONS[write]}: ${names.join(', ')}`];
  });
}

/** Describes an answer in messages. The values of `Answer` themselves are those of the control protocol. */
function textOf(answer: Answer | undefined): string {
  return answer === 'passed over' ? 'ignored' : 'always rejected';
}

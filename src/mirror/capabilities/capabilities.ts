/**
 * How a service handles conditional writes. Services ignore conditions silently, so a capability probe finds
 * out.
 */

import type { BucketKind } from '../model/types.ts';

/**
 * `unquoted`: the service evaluates the condition if the ETag has no quotes. `refused`: it rejects the write
 * even if the condition is met. `passed over`: it ignores the condition.
 */
export type Answer = 'honoured' | 'unquoted' | 'refused' | 'passed over';

/** The requests that create a version or a delete marker. `complete`: of a multipart upload. */
export type WriteKind = 'put' | 'complete' | 'copy' | 'delete';

export interface WriteAnswers {
  readonly ifMatch: Answer;
  readonly ifNoneMatch: Answer;
}

/** Whether a version has the lock that its write requested. */
export type LockAnswer = 'kept' | 'dropped';

/** Whether versions keep their dates when their locks, tags or ACL change. */
export type DatesAnswer = 'kept' | 'changed';

export interface Capabilities {
  readonly put: WriteAnswers;
  readonly complete: WriteAnswers;
  readonly copy: WriteAnswers;
  readonly delete: Pick<WriteAnswers, 'ifMatch'>;
  /** Present if the bucket has Object Lock and the credentials allow the probe. */
  readonly locksOfUploads?: LockAnswer;
  readonly locksOfCopies?: LockAnswer;
  /** Present if the bucket has versioning and the credentials allow the probe. */
  readonly versionDates?: DatesAnswer;
}

/**
 * `conditions`: no write of another client is overwritten unnoticed. `proof`: it may be overwritten, and is
 * then detected and recorded. `unguarded`: it may be lost.
 */
export type WriteGuarding = 'conditions' | 'proof' | 'unguarded';

const ALL = { ifMatch: 'honoured', ifNoneMatch: 'honoured' } as const;

/** Answers of the embedded store. */
export const EVALUATES_ALL: Capabilities = {
  put: ALL,
  complete: ALL,
  copy: ALL,
  delete: ALL,
  versionDates: 'kept',
};

/** An unconditional copy can be replaced by an upload, if no version history would reveal a conflict. */
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

/** What prevents the loss of writes of other clients in a bucket of this kind. */
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

/** Lists each write with the conditions that the service does not evaluate; empty if it evaluates all. */
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

/** For messages; the words of `Answer` are those of the control protocol. */
function textOf(answer: Answer | undefined): string {
  return answer === 'passed over' ? 'ignored' : 'always rejected';
}

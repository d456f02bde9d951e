/**
 * Describes how a service handles conditional writes. Some services silently ignore conditions, so a capability probe
 * tests them.
 */

import type { BucketKind } from '../model/types.ts';

/**
 * How the service handles a write's condition. `unquoted`: it honours the condition if the ETag has no quotes.
 * `refused`: it rejects the write even if the condition is met. `passed over`: it ignores the condition.
 */
export type Answer = 'honoured' | 'unquoted' | 'refused' | 'passed over';

/** Requests that create a version or a delete marker. `complete` means CompleteMultipartUpload. */
export type WriteKind = 'put' | 'complete' | 'copy' | 'delete';

export interface WriteAnswers {
  readonly ifMatch: Answer;
  readonly ifNoneMatch: Answer;
}

/** Whether a new version has the lock that its upload or copy requested. */
export type LockAnswer = 'kept' | 'dropped';

/** Whether a version's LastModified stays the same when its lock, tags or ACL change. */
export type DatesAnswer = 'kept' | 'changed';

export interface Capabilities {
  readonly put: WriteAnswers;
  readonly complete: WriteAnswers;
  readonly copy: WriteAnswers;
  readonly delete: Pick<WriteAnswers, 'ifMatch'>;
  /**
   * Whether uploaded versions have the lock that the upload requested. Present if the bucket has Object Lock and the
   * credentials allow the probe.
   */
  readonly locksOfUploads?: LockAnswer;
  readonly locksOfCopies?: LockAnswer;
  /**
   * Whether versions keep their LastModified dates. Present if the bucket has versioning and the credentials allow the
   * probe.
   */
  readonly versionDates?: DatesAnswer;
}

/**
 * How other clients' writes are protected. `conditions`: conditional writes do not overwrite them. `proof`: an
 * overwritten version is detected and recorded afterwards. `unguarded`: other clients' writes may be lost.
 */
export type WriteGuarding = 'conditions' | 'proof' | 'unguarded';

const ALL = { ifMatch: 'honoured', ifNoneMatch: 'honoured' } as const;

/** Capabilities of the embedded store, which honours all conditions. */
export const EVALUATES_ALL: Capabilities = {
  put: ALL,
  complete: ALL,
  copy: ALL,
  delete: ALL,
  versionDates: 'kept',
};

/**
 * Writes whose conditions the service must honour if the bucket has no versioning. Copies are not listed, because the
 * job can upload the content instead.
 */
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

/** Returns how other clients' writes are protected in a bucket of this kind. */
export function guardingOf(capabilities: Capabilities, bucket: BucketKind): WriteGuarding {
  if (bucket === 'unversioned')
    return NEEDED.every((write) => evaluatesAll(capabilities, write)) ? 'conditions' : 'unguarded';
  return WRITES.every((write) => evaluatesAll(capabilities, write)) ? 'conditions' : 'proof';
}

const WRITES: readonly WriteKind[] = [...NEEDED, 'copy'];

/** S3 operation names for use in messages. */
const OPERATIONS: Readonly<Record<WriteKind, string>> = {
  put: 'PutObject',
  complete: 'CompleteMultipartUpload',
  copy: 'CopyObject',
  delete: 'DeleteObject',
};

/** Returns each write with the conditions that the service does not honour; an empty list if it honours all. */
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

/** Returns a text for messages, because the values of `Answer` belong to the control protocol. */
function textOf(answer: Answer | undefined): string {
  return answer === 'passed over' ? 'ignored' : 'always rejected';
}

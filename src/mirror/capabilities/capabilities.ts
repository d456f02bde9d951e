/** What a service makes of the conditions of a write: known by asking it, since services pass them over in silence. */

import type { BucketKind } from '../model/types.ts';

/**
 * `unquoted`: held to where the ETag stands without its quotes. `refused`: also where it is met. `passed over`: the
 * write is done whatever it expected.
 */
export type Answer = 'honoured' | 'unquoted' | 'refused' | 'passed over';

/** The requests that make a version or a delete marker. `complete`: of an upload in parts. */
export type WriteKind = 'put' | 'complete' | 'copy' | 'delete';

export interface WriteAnswers {
  readonly ifMatch: Answer;
  readonly ifNoneMatch: Answer;
}

/** Locks that come with a write: whether the version has them. */
export type LockAnswer = 'kept' | 'dropped';

/** The dates of versions, when their locks, tags or ACL change. */
export type DatesAnswer = 'kept' | 'changed';

export interface Capabilities {
  readonly put: WriteAnswers;
  readonly complete: WriteAnswers;
  readonly copy: WriteAnswers;
  readonly delete: Pick<WriteAnswers, 'ifMatch'>;
  /** Where the bucket has object lock, and the credentials allow to ask. */
  readonly locksOfUploads?: LockAnswer;
  readonly locksOfCopies?: LockAnswer;
  /** Where the bucket has versions, and the credentials allow to ask. */
  readonly versionDates?: DatesAnswer;
}

/** `conditions`: none of others' writes is covered unknowingly. `proof`: it may be, and is then found and recorded. */
export type WriteGuarding = 'conditions' | 'proof' | 'unguarded';

const ALL = { ifMatch: 'honoured', ifNoneMatch: 'honoured' } as const;

/** The embedded store. */
export const HONOURS_ALL: Capabilities = {
  put: ALL,
  complete: ALL,
  copy: ALL,
  delete: ALL,
  versionDates: 'kept',
};

/** A copy that is not guarded can be done without, where nothing would prove it: the bytes are sent. */
const NEEDED: readonly WriteKind[] = ['put', 'complete', 'delete'];

export function isHeld(answer: Answer | undefined): boolean {
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

export function holdsAll(capabilities: Capabilities, write: WriteKind): boolean {
  const answers: Partial<WriteAnswers> = capabilities[write];
  return isHeld(answers.ifMatch) && isHeld(answers.ifNoneMatch);
}

/** What keeps writes of others from being lost in a bucket of this kind. */
export function guardingOf(capabilities: Capabilities, bucket: BucketKind): WriteGuarding {
  if (bucket === 'unversioned')
    return NEEDED.every((write) => holdsAll(capabilities, write)) ? 'conditions' : 'unguarded';
  return WRITES.every((write) => holdsAll(capabilities, write)) ? 'conditions' : 'proof';
}

const WRITES: readonly WriteKind[] = [...NEEDED, 'copy'];

/** Each write with its conditions that are not held to, in words; empty where all are. */
export function shortcomings(capabilities: Capabilities): readonly string[] {
  return WRITES.flatMap((write) => {
    const { ifMatch, ifNoneMatch }: Partial<WriteAnswers> = capabilities[write];
    const names = [
      ...(isHeld(ifMatch) ? [] : [`If-Match ${ifMatch}`]),
      ...(isHeld(ifNoneMatch) ? [] : [`If-None-Match ${ifNoneMatch}`]),
    ];
    return names.length === 0 ? [] : [`${write}: ${names.join(', ')}`];
  });
}

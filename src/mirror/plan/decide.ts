/**
 * Decides the action for one key, from the combination of local state, current version and kind of bucket. Comments
 * name a combination by two letters, such as U × S.
 *
 * Local: U unchanged, C changed, D deleted, N new, E excluded, – neither present nor known. Current version: S as last
 * synced, X changed by another client, M a delete marker or absent.
 */

import { defined } from '../../base/defined.ts';
import { DAY_MS } from '../../base/durations.ts';
import type { Action, BucketBytes, WriteCondition, PutAction, Resolves } from './action.ts';
import { sameAttributes, unchanged } from '../model/compare.ts';
import type { Decision, FoundHead, PlanPolicy, RemoteHead } from './plan-types.ts';
import type { ReplacedContent, Resolution } from '../model/conflict.ts';
import { type BaselineEntry, type Head, LOCK_UNSEEN, type LocalEntry } from '../model/types.ts';

/** The known state of one key: local entry, baseline and current version. */
export interface Cell {
  readonly key: string;
  readonly baseline: BaselineEntry | undefined;
  readonly entry: (LocalEntry & { readonly sha256?: string }) | undefined;
  /** Why the key has no local entry; undefined if it has one. */
  readonly missing: 'gone' | 'excluded' | 'unseen' | undefined;
  readonly remote: RemoteHead | undefined;
  readonly sameInode?: readonly BaselineEntry[] | undefined;
  readonly policy: PlanPolicy;
  readonly now: number;
}

type ExamineAction = Extract<Action, { kind: 'examine' }>;

/** The state of a key with a local entry. */
type Present = Cell & { readonly entry: NonNullable<Cell['entry']> };

/** SHA-256 of empty content. Empty files and folders have this digest. */
export const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/**
 * If a restored current version disappears again within this time, another client deletes it on purpose. The job then
 * does not restore it.
 */
const REPROTECT_INTERVAL_MS = DAY_MS;
const NOTHING: Decision = {};

export function decide(cell: Cell): Decision {
  if (cell.entry) return decidePresent({ ...cell, entry: cell.entry });
  if (!cell.baseline)
    return cell.remote && cell.remote !== 'absent' ? { note: 'foreign' } : NOTHING;
  if (cell.missing === 'excluded') return { note: 'no longer mirrored' };
  if (cell.missing === 'unseen') return { note: 'not seen' };
  return decideDeleted(cell, cell.baseline);
}

function decidePresent(cell: Present): Decision {
  const { baseline, entry } = cell;
  const head = foreignHead(cell);
  const isChanged = !baseline || !unchanged(baseline, entry) || hasOtherContent(baseline, entry);
  if (head !== undefined && head !== 'absent') return decideAgainst(cell, head, isChanged);
  if (!baseline) return { actions: [put(cell, 'new', absent)] };
  if (head === 'absent')
    return isChanged ? { actions: [put(cell, 'changed', absent)] } : reprotect(cell, baseline);
  if (isChanged) return replaceOwn(cell, baseline);
  return adoptRewritten(cell, baseline) ?? confirmLock(cell, baseline);
}

/**
 * Adopts another client's version with the same content. That version is current, but does not have this job's lock.
 */
function adoptRewritten(cell: Present, { sha256, versionId }: BaselineEntry): Decision | undefined {
  const { key, entry, remote: head } = cell;
  if (head === undefined || head === 'absent') return undefined;
  if (head.listed) return examine(cell, { readHead: true });
  if (versionId === undefined || head.versionId === undefined) return undefined;
  if (versionId === head.versionId) return undefined;
  return { actions: [{ kind: 'adopt', key, entry, sha256, head }] };
}

/** Returns whether the file was read and its content differs from the baseline, whatever its timestamps are. */
function hasOtherContent({ sha256 }: BaselineEntry, entry: Present['entry']): boolean {
  return entry.sha256 !== undefined && entry.sha256 !== sha256;
}

/** Returns the current version if it is not the last synced one; otherwise undefined. */
function foreignHead({ baseline, remote }: Cell): RemoteHead | undefined {
  if (remote === undefined || remote === 'absent')
    return remote === 'absent' && baseline ? remote : undefined;
  return baseline && remote.etag === baseline.etag ? undefined : remote;
}

/**
 * Decides the action if another client changed the object (U × X, C × X and N × X). Equal content is adopted,
 * whichever client wrote it.
 */
function decideAgainst(cell: Present, head: FoundHead, isChanged: boolean): Decision {
  const { key, entry, baseline, policy } = cell;
  if (head.listed) return examine(cell, { readHead: true });
  // The job has already superseded this version. Its content may be equal, but its attributes may be stale.
  if (head.isOutdated)
    return { actions: [put(cell, 'drifted', { ifMatch: head.etag })], note: 'outdated' };
  const local = isChanged ? knownSha256(entry) : baseline?.sha256;
  const remote = headSha256(head, baseline);
  if (mayBeEqual(entry, head)) {
    if (remote !== undefined && local === undefined) return examine(cell, { hashFile: true });
    if (remote !== undefined && local === remote)
      return { actions: [{ kind: 'adopt', key, entry, sha256: local, head }] };
    if (remote === undefined && (isChanged || policy.drift === 'enforce') && !head.isCompared)
      return examine(cell, { readHead: true, hashFile: true, comparesContent: true });
  }
  if (!isChanged)
    return policy.drift === 'enforce' ? supersedeForeign(cell, head, 'drifted') : drifted;
  return decideConflict(cell, head);
}

/**
 * Returns whether file and object can be equal. A symbolic link never equals an object that stores the link's target as
 * file content.
 */
function mayBeEqual({ kind, sizeBytes }: LocalEntry, head: FoundHead): boolean {
  return sizeBytes === head.sizeBytes && (kind === 'symlink') === (head.isLink === true);
}

/** Returns the SHA-256 of the current version's content; undefined if it is unknown. */
function headSha256(head: FoundHead, baseline: BaselineEntry | undefined): string | undefined {
  if (head.isCompared) return head.sha256;
  return isRewritten(baseline, head) ? undefined : knownSha256(head);
}

/**
 * Returns whether the metadata is from the baseline's upload although the ETag differs. The content is then assumed to
 * differ too.
 */
function isRewritten(baseline: BaselineEntry | undefined, { uploadedAt }: Head): boolean {
  return uploadedAt !== undefined && baseline?.uploadedAt === uploadedAt;
}

const drifted: Decision = { note: 'drifted' };

function decideConflict(cell: Present, head: Head): Decision {
  const { key, entry, baseline, policy } = cell;
  const answer = answerOf(cell, head);
  if (answer) return applyAnswer(cell, head, answer);
  const isHeld = !baseline && (policy.isFirstRound || policy.heldKeys.has(key));
  if (policy.conflict === 'ask' || (isHeld && policy.conflict === 'keep-both'))
    return { conflict: { key, entry, head, outcome: 'held' } };
  if (policy.conflict === 'remote') return downloadHead(cell, head);
  return supersedeForeign(cell, head, 'conflict');
}

/** Returns the user's resolution of a conflict, if file and object have not changed since the user saw them. */
function answerOf({ key, entry, policy }: Present, head: Head): Resolution | undefined {
  const held = policy.answers.get(key);
  if (held?.head?.etag !== head.etag || !unchanged(held.entry, entry)) return undefined;
  return held.head.versionId === head.versionId ? held.wish : undefined;
}

function applyAnswer(cell: Present, head: Head, answer: Resolution): Decision {
  if (answer === 'remote') return downloadHead(cell, head, { as: answer, ids: [] });
  const superseding = supersedeForeign(cell, { ...head, resolution: answer }, 'conflict');
  if (answer === 'local') return superseding;
  const [next] = superseding.actions ?? [];
  const { key } = cell;
  const resolves = { as: answer, ids: [] };
  const download: Action = {
    kind: 'download-beside',
    key,
    from: headBytes(cell, head),
    resolves,
    ...(next && { next }),
  };
  return { ...superseding, actions: [download] };
}

/** Returns the decision to replace the file with the current version. */
function downloadHead(cell: Present, head: Head, resolves?: Resolves): Decision {
  const { key, entry } = cell;
  return {
    actions: [
      { kind: 'download', key, entry, from: headBytes(cell, head), ...(resolves && { resolves }) },
    ],
    conflict: { key, entry, head, outcome: 'took-remote' },
  };
}

function headBytes({ key, policy, now }: Present, head: Head): BucketBytes {
  const since = policy.answers.get(key)?.since ?? now;
  const { etag, sizeBytes, versionId, sha256, uploadedAt } = head;
  return defined({
    isHead: true,
    side: 'bucket',
    since,
    etag,
    sizeBytes,
    versionId,
    sha256,
    uploadedAt,
  } as const);
}

/**
 * Returns the decision to supersede another client's version. A bucket without versioning requires a copy of that
 * version first.
 */
function supersedeForeign(
  cell: Present,
  head: Head & ReplacedContent,
  why: 'conflict' | 'drifted',
): Decision {
  const { key, entry, policy } = cell;
  const conflict = { key, entry, head, outcome: 'kept-both' as const };
  const superseding = { ...put(cell, why, { ifMatch: head.etag }), supersedes: head };
  if (policy.bucket === 'unversioned')
    return {
      actions: [{ kind: 'save-head', key, head, into: 'conflict', next: superseding }],
      conflict,
    };
  if (!isLocked(policy)) return { actions: [superseding], conflict };
  return { actions: [{ kind: 'lock-foreign', key, head, next: superseding }], conflict };
}

/**
 * Decides the action if only the file changed (C × S). If content and stored attributes are unchanged, updates only
 * the baseline.
 */
function replaceOwn(cell: Present, baseline: BaselineEntry): Decision {
  const { key, entry } = cell;
  if (entry.sha256 === baseline.sha256 && sameAttributes(baseline, entry))
    return { actions: [{ kind: 'adopt', key, entry, sha256: entry.sha256, head: baseline }] };
  return { actions: [put(cell, 'changed', { ifMatch: baseline.etag })] };
}

/**
 * Decides the action if another client deleted the object of an unchanged file (U × M): restores the current version,
 * unless another client deletes it repeatedly.
 */
function reprotect(cell: Present, baseline: BaselineEntry): Decision {
  const { key, policy, now } = cell;
  const last = baseline.reprotectedAt;
  if (last !== undefined && now - last < REPROTECT_INTERVAL_MS) return { note: 'contested' };
  const upload = put(cell, 'missing', absent);
  if (policy.bucket === 'unversioned' || baseline.versionId === undefined)
    return { actions: [upload] };
  const { versionId } = baseline;
  return { actions: [{ kind: 'copy-version-to-head', key, versionId, otherwise: upload }] };
}

/**
 * Decides the action if neither file nor object changed (U × S): confirms a requested lock, or does nothing. Locks are
 * renewed outside sync rounds (src/retention/renew-locks.ts).
 */
function confirmLock({ key, entry, policy }: Present, { retainUntil }: BaselineEntry): Decision {
  if (policy.bucket !== 'object-lock' || !policy.lock) return NOTHING;
  if (retainUntil !== LOCK_UNSEEN) return NOTHING;
  return { actions: [{ kind: 'confirm-lock', key, entry }] };
}

/**
 * Decides the action for a deleted file (D): deletes the job's own version with a delete marker, or after copying it
 * to the trash. Another client's version stays.
 */
function decideDeleted(cell: Cell, baseline: BaselineEntry): Decision {
  const { key, policy } = cell;
  const head = foreignHead(cell);
  const drop: Action = { kind: 'drop-baseline', key };
  if (head === 'absent') return { actions: [drop] };
  if (head?.listed) return examine(cell, { readHead: true });
  if (head)
    return { actions: [drop], note: head.isOutdated ? 'outdated and deleted' : 'delete skipped' };
  const removal = { kind: 'delete' as const, key, guard: { ifMatch: baseline.etag } };
  if (policy.bucket !== 'unversioned') return { actions: [removal] };
  return { actions: [{ kind: 'save-head', key, head: baseline, into: 'trash', next: removal }] };
}

const absent: WriteCondition = { ifNoneMatch: '*' };

function put(
  { key, entry, policy, sameInode }: Present,
  why: PutAction['why'],
  guard: WriteCondition,
): PutAction {
  const action = { kind: 'put', key, entry, guard, why, lock: isLocked(policy) } as const;
  return sameInode && why === 'new' ? { ...action, sameInode } : action;
}

function examine(
  { key, entry }: Cell,
  what: Partial<Pick<ExamineAction, 'readHead' | 'hashFile' | 'comparesContent'>>,
): Decision {
  const known = { readHead: false, hashFile: false, ...what, ...(entry && { entry }) };
  return { actions: [{ kind: 'examine', key, ...known }] };
}

function isLocked({ bucket, lock }: PlanPolicy): boolean {
  return bucket === 'object-lock' && lock !== undefined;
}

function knownSha256(side: {
  readonly sizeBytes: number;
  readonly sha256?: string;
}): string | undefined {
  return side.sha256 ?? (side.sizeBytes === 0 ? EMPTY_SHA256 : undefined);
}

/**
 * The table of what is done, local × head × kind of bucket, one key at a time (mirror.md, section 3).
 *
 * Local: U unchanged, C changed, D deleted, N new, E excluded, – neither there nor known.
 * Head: S as last synced, X changed by another, M a delete marker or nothing.
 */

import { defined } from '../../base/defined.ts';
import { DAY_MS } from '../../base/durations.ts';
import type { Action, BucketBytes, WriteCondition, PutAction, Resolves } from './action.ts';
import { sameAttributes, unchanged } from '../model/compare.ts';
import type { Decision, FoundHead, PlanPolicy, RemoteHead } from './plan-types.ts';
import type { ReplacedContent, Resolution } from '../model/conflict.ts';
import { type BaselineEntry, type Head, LOCK_UNSEEN, type LocalEntry } from '../model/types.ts';

/** All that is known of one key. */
export interface Cell {
  readonly key: string;
  readonly baseline: BaselineEntry | undefined;
  readonly entry: (LocalEntry & { readonly sha256?: string }) | undefined;
  /** Why there is no entry; undefined where there is one. */
  readonly missing: 'gone' | 'excluded' | 'unseen' | undefined;
  readonly remote: RemoteHead | undefined;
  readonly policy: PlanPolicy;
  readonly now: number;
}

type ExamineAction = Extract<Action, { kind: 'examine' }>;

/** A cell whose local entry is there. */
type Present = Cell & { readonly entry: NonNullable<Cell['entry']> };

/** Of nothing: of empty files and of folders. */
export const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** A key whose head vanishes again so soon is taken away by someone on purpose: it is not fought over. */
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
  const isChanged = !baseline || !unchanged(baseline, entry) || isOther(baseline, entry);
  if (head !== undefined && head !== 'absent') return decideAgainst(cell, head, isChanged);
  if (!baseline) return { actions: [put(cell, 'new', absent)] };
  if (head === 'absent')
    return isChanged ? { actions: [put(cell, 'changed', absent)] } : reprotect(cell, baseline);
  if (isChanged) return replaceOwn(cell, baseline);
  return adoptRewritten(cell, baseline) ?? keepLock(cell, baseline);
}

/** Another client wrote the same bytes again: the current version is its own, which has no lock of this job. */
function adoptRewritten(cell: Present, { sha256, versionId }: BaselineEntry): Decision | undefined {
  const { key, entry, remote: head } = cell;
  if (head === undefined || head === 'absent') return undefined;
  if (head.listed) return examine(cell, { readHead: true });
  if (versionId === undefined || head.versionId === undefined) return undefined;
  if (versionId === head.versionId) return undefined;
  return { actions: [{ kind: 'adopt', key, entry, sha256, head }] };
}

/** Whatever its times say: it was read. */
function isOther({ sha256 }: BaselineEntry, entry: Present['entry']): boolean {
  return entry.sha256 !== undefined && entry.sha256 !== sha256;
}

/** The head when it is not as last synced; undefined when it is. */
function foreignHead({ baseline, remote }: Cell): RemoteHead | undefined {
  if (remote === undefined || remote === 'absent')
    return remote === 'absent' && baseline ? remote : undefined;
  return baseline && remote.etag === baseline.etag ? undefined : remote;
}

/** U, C or N × X. Equal content first of all: it is adopted, whichever client wrote it. */
function decideAgainst(cell: Present, head: FoundHead, isChanged: boolean): Decision {
  const { key, entry, baseline, policy } = cell;
  if (head.listed) return examine(cell, { readHead: true });
  // The job has covered it once before. Its content may be equal, and its attributes older.
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
  if (!isChanged) return policy.drift === 'enforce' ? coverForeign(cell, head, 'drifted') : drifted;
  return decideConflict(cell, head);
}

/** A link and a file with its target as content are restored as different things. */
function mayBeEqual({ kind, sizeBytes }: LocalEntry, head: FoundHead): boolean {
  return sizeBytes === head.sizeBytes && (kind === 'symlink') === (head.isLink === true);
}

/** Of the head's content; undefined where it is not known. */
function headSha256(head: FoundHead, baseline: BaselineEntry | undefined): string | undefined {
  if (head.isCompared) return head.sha256;
  return isRewritten(baseline, head) ? undefined : knownSha256(head);
}

/** It says of itself that it is the very upload of the baseline, and has another ETag: other bytes, as far as is known. */
function isRewritten(baseline: BaselineEntry | undefined, { uploadedAt }: Head): boolean {
  return uploadedAt !== undefined && baseline?.uploadedAt === uploadedAt;
}

const drifted: Decision = { note: 'drifted' };

function decideConflict(cell: Present, head: Head): Decision {
  const { key, entry, baseline, policy } = cell;
  const wish = wishOf(cell, head);
  if (wish) return carryOut(cell, head, wish);
  const isHeld = !baseline && (policy.firstContact || policy.heldKeys.has(key));
  if (policy.conflict === 'ask' || (isHeld && policy.conflict === 'keep-both'))
    return { conflict: { key, entry, head, outcome: 'held' } };
  if (policy.conflict === 'remote') return takeHead(cell, head);
  return coverForeign(cell, head, 'conflict');
}

/** What the user decided of this key, if both sides are still those that he saw. */
function wishOf({ key, entry, policy }: Present, head: Head): Resolution | undefined {
  const held = policy.wishes.get(key);
  if (held?.head?.etag !== head.etag || !unchanged(held.entry, entry)) return undefined;
  return held.head.versionId === head.versionId ? held.wish : undefined;
}

function carryOut(cell: Present, head: Head, wish: Resolution): Decision {
  if (wish === 'remote') return takeHead(cell, head, { as: wish, ids: [] });
  const covering = coverForeign(cell, { ...head, resolution: wish }, 'conflict');
  if (wish === 'local') return covering;
  const [next] = covering.actions ?? [];
  const { key } = cell;
  const resolves = { as: wish, ids: [] };
  const beside: Action = {
    kind: 'take-beside',
    key,
    from: headBytes(cell, head),
    resolves,
    ...(next && { next }),
  };
  return { ...covering, actions: [beside] };
}

/** The head comes into the folder, in place of the file. */
function takeHead(cell: Present, head: Head, resolves?: Resolves): Decision {
  const { key, entry } = cell;
  return {
    actions: [
      { kind: 'take', key, entry, from: headBytes(cell, head), ...(resolves && { resolves }) },
    ],
    conflict: { key, entry, head, outcome: 'took-remote' },
  };
}

function headBytes({ key, policy, now }: Present, head: Head): BucketBytes {
  const since = policy.wishes.get(key)?.since ?? now;
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

/** A put over a version of someone else: a version stays by itself, in a bucket without it is saved first. */
function coverForeign(
  cell: Present,
  head: Head & ReplacedContent,
  why: 'conflict' | 'drifted',
): Decision {
  const { key, entry, policy } = cell;
  const conflict = { key, entry, head, outcome: 'kept-both' as const };
  const covering = { ...put(cell, why, { ifMatch: head.etag }), supersedes: head };
  if (policy.bucket === 'unversioned')
    return {
      actions: [{ kind: 'save-head', key, head, into: 'conflict', next: covering }],
      conflict,
    };
  if (!isLocked(policy)) return { actions: [covering], conflict };
  return { actions: [{ kind: 'lock-foreign', key, head, next: covering }], conflict };
}

/** C × S. A file that was only touched is adopted: its bytes and its mode are as they were. */
function replaceOwn(cell: Present, baseline: BaselineEntry): Decision {
  const { key, entry } = cell;
  if (entry.sha256 === baseline.sha256 && sameAttributes(baseline, entry))
    return { actions: [{ kind: 'adopt', key, entry, sha256: entry.sha256, head: baseline }] };
  return { actions: [put(cell, 'changed', { ifMatch: baseline.etag })] };
}

/** U × M: the head is brought back, but not against someone who keeps taking it away. */
function reprotect(cell: Present, baseline: BaselineEntry): Decision {
  const { key, policy, now } = cell;
  const last = baseline.reprotectedAt;
  if (last !== undefined && now - last < REPROTECT_INTERVAL_MS) return { note: 'contested' };
  const again = put(cell, 'missing', absent);
  if (policy.bucket === 'unversioned' || baseline.versionId === undefined)
    return { actions: [again] };
  const { versionId } = baseline;
  return { actions: [{ kind: 'copy-version-to-head', key, versionId, otherwise: again }] };
}

/** U × S: nothing, but for a lock that was never seen. What is due is renewed beside the rounds (locks/renew.ts). */
function keepLock({ key, entry, policy }: Present, { retainUntil }: BaselineEntry): Decision {
  if (policy.bucket !== 'object-lock' || !policy.lock) return NOTHING;
  if (retainUntil !== LOCK_UNSEEN) return NOTHING;
  return { actions: [{ kind: 'confirm-lock', key, entry }] };
}

/** D: our own head goes, under a marker or into the trash; a head of someone else stays. */
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
  { key, entry, policy }: Present,
  why: PutAction['why'],
  guard: WriteCondition,
): PutAction {
  return { kind: 'put', key, entry, guard, why, lock: isLocked(policy) };
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

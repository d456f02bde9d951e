/**
 * Property of the planner's decision about one key with incomplete information. The file may not
 * have been read. The object may be known only from a listing, or from wrong metadata.
 */

import assert from 'node:assert/strict';

import * as fc from 'fast-check';

import type { Action } from '../../src/mirror/plan/action.ts';
import { EMPTY_SHA256 } from '../../src/mirror/plan/decide.ts';
import type { FoundHead, Plan } from '../../src/mirror/plan/plan-types.ts';
import { baselineOf, entry, lastWrite, planInput } from './plan-cells.ts';
import type { PlanLaw } from './plan-law.ts';

/** File contents with their sizes. Each content is also its own digest. */
const SIZES = { base: 10, mine: 10, theirs: 10, longer: 11, [EMPTY_SHA256]: 0 } as const;
type Content = keyof typeof SIZES;
const CONTENT = fc.constantFrom(...(Object.keys(SIZES) as Content[]));

/** Upload time of the version in the baseline, in milliseconds since 1970. */
const UPLOADED_AT = 5;

const CELLS = fc.record({
  local: fc.constantFrom('kept times', 'changed', 'new', 'deleted'),
  file: CONTENT,
  isRead: fc.boolean(),
  isLinkHere: fc.boolean(),
  hasOtherMode: fc.boolean(),
  /**
   * Version in the bucket. `own` is the version of the baseline, and `rewritten` is another version
   * with the same ETag.
   */
  version: fc.constantFrom('own', 'rewritten', 'foreign', 'foreign', 'foreign', 'outdated'),
  content: CONTENT,
  isLink: fc.boolean(),
  known: fc.constantFrom(
    'listed',
    'metadata',
    'metadata of the baseline',
    'nothing',
    'compared',
    'compared in vain',
  ),
  policy: fc.record({
    bucket: fc.constantFrom('unversioned', 'versioned', 'object-lock'),
    conflict: fc.constantFrom('keep-both', 'local', 'remote', 'ask'),
    drift: fc.constantFrom('report', 'enforce'),
    lock: fc.constant({ days: 30, refreshDays: 7 }),
  } as const),
} as const);
type Cell = typeof CELLS extends fc.Arbitrary<infer T> ? T : never;

const BASELINE = { ...baselineOf(entry('f')), sha256: 'base', uploadedAt: UPLOADED_AT };

function headOf({ version, content, isLink, known }: Cell): FoundHead | undefined {
  if (version === 'own') return undefined;
  const details = {
    listed: { listed: true },
    nothing: {},
    metadata: { sha256: content },
    'metadata of the baseline': { sha256: 'base', uploadedAt: UPLOADED_AT },
    compared: { isCompared: true, sha256: content, uploadedAt: UPLOADED_AT },
    'compared in vain': { isCompared: true },
  };
  const head = { sizeBytes: SIZES[content], isLink, ...details[known] };
  if (version === 'rewritten') return { ...head, etag: 'ours', versionId: 'v9' };
  const isOutdated = version === 'outdated';
  return { ...head, etag: 'theirs', versionId: 'v2', ...(isOutdated && { isOutdated }) };
}

function planOf(planMirror: (input: ReturnType<typeof planInput>) => Plan, cell: Cell): Plan {
  const { local, file, isRead, isLinkHere, hasOtherMode, policy } = cell;
  const here = entry('f', {
    sizeBytes: SIZES[file],
    kind: isLinkHere ? 'symlink' : 'file',
    ...(local !== 'kept times' && { mtimeMs: 2_000 }),
    ...(hasOtherMode && { mode: 0o600 }),
  });
  const head = headOf(cell);
  return planMirror(
    planInput({
      ...(local !== 'new' && { baseline: { f: BASELINE } }),
      ...(local !== 'deleted' && { entries: { f: { ...here, ...(isRead && { sha256: file }) } } }),
      ...(head && { remote: { f: head } }),
      policy,
    }),
  );
}

/** Returns true if the planner must assume that the file still has the content of the baseline. */
function isUnchanged({ local, file, isRead, isLinkHere }: Cell): boolean {
  if (local !== 'kept times' || isLinkHere || SIZES[file] !== SIZES.base) return false;
  return !isRead || file === 'base';
}

/** Checks the decision about a key whose current version was written by the job. */
function checkOwn(cell: Cell, { actions, conflicts }: Plan): void {
  const { local, file, isRead, isLinkHere, hasOtherMode, version, policy } = cell;
  const [action] = actions;
  const write = action && lastWrite(action);
  assert.deepEqual(conflicts, []);
  if (local === 'deleted') {
    assert.deepEqual(write, { kind: 'delete', key: 'f', guard: { ifMatch: 'ours' } });
    assert.equal(action?.kind, policy.bucket === 'unversioned' ? 'save-head' : 'delete');
  } else if (isUnchanged(cell)) {
    if (version === 'own') assert.deepEqual(actions, []);
    else assert.ok(action?.kind === 'adopt' && action.head.versionId === 'v9');
  } else if (isRead && file === 'base' && !isLinkHere && !hasOtherMode) {
    assert.ok(action?.kind === 'adopt' && action.sha256 === 'base');
  } else {
    assert.deepEqual(write?.guard, { ifMatch: 'ours' });
  }
}

/**
 * Checks that a write that replaces another client's version is conditional and recorded. A copy or
 * a lock of that version must come first.
 */
function checkOverwrite(action: Action, { policy: { bucket } }: Cell): void {
  const write = lastWrite(action);
  if (!write) return;
  assert.ok(write.kind === 'put', 'a delete of a version that another client wrote');
  assert.deepEqual(write.guard, { ifMatch: 'theirs' });
  assert.deepEqual([write.supersedes?.etag, write.supersedes?.versionId], ['theirs', 'v2']);
  const before = { unversioned: 'save-head', versioned: 'put', 'object-lock': 'lock-foreign' };
  assert.equal(action.kind, before[bucket]);
}

function checkForeign(cell: Cell, { actions, conflicts, notes }: Plan): void {
  const { local, file, isRead, isLinkHere, content, isLink, known, version } = cell;
  const [action] = actions;
  if (local === 'deleted') {
    const is = version === 'outdated' ? 'outdated and deleted' : 'delete skipped';
    assert.deepEqual([actions, notes], [[{ kind: 'drop-baseline', key: 'f' }], [{ key: 'f', is }]]);
    return;
  }
  if (version === 'outdated') {
    assert.ok(action?.kind === 'put' && action.supersedes === undefined);
    assert.deepEqual(action.guard, { ifMatch: 'theirs' });
    assert.deepEqual([conflicts, notes], [[], [{ key: 'f', is: 'outdated' }]]);
    return;
  }
  for (const each of actions) checkOverwrite(each, cell);
  const ours = isUnchanged(cell) ? 'base' : file;
  const isSame = ours === content && isLinkHere === isLink;
  if (action?.kind === 'adopt') {
    assert.ok(isSame, 'adopted an object with other content');
    assert.deepEqual([action.sha256, action.head.etag], [content, 'theirs']);
  }
  if (action?.kind === 'download')
    assert.deepEqual([action.from.etag, action.from.versionId], ['theirs', 'v2']);
  const isKnown = known === 'metadata' || known === 'compared';
  if (isSame && isKnown && (isRead || isUnchanged(cell))) assert.equal(action?.kind, 'adopt');
  // If the comparison found no digest, the contents may still be equal.
  if (known !== 'compared in vain')
    assert.ok(conflicts.length === 0 || !isSame, 'reported equal content as a conflict');
}

export const HEAD_LAWS: Readonly<Record<string, PlanLaw>> = {
  'a version of another client is adopted only if it equals the file, is never deleted, and is replaced only with a record in the conflict log':
    ({ planMirror }) =>
      fc.property(CELLS, (cell) => {
        const { local, known, version } = cell;
        // A new file has no baseline. Therefore no version can have the metadata or the ETag of the
        // baseline.
        fc.pre(local !== 'new' || (known !== 'metadata of the baseline' && version === 'foreign'));
        const plan = planOf(planMirror, cell);
        if (known === 'listed' && version !== 'own' && !isOwnWrite(cell)) {
          assert.ok(plan.actions.every((action) => action.kind === 'examine' && action.readHead));
          assert.deepEqual([plan.actions.length, plan.conflicts], [1, []]);
        } else if (version === 'own' || version === 'rewritten') checkOwn(cell, plan);
        else checkForeign(cell, plan);
      }),
};

/**
 * Returns true if the listing shows the ETag of the baseline. The planner can then write without
 * reading the object's metadata.
 */
function isOwnWrite(cell: Cell): boolean {
  return cell.version === 'rewritten' && (cell.local === 'deleted' || !isUnchanged(cell));
}

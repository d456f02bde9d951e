/**
 * Creates local files, baselines and remote objects for tests of the planner, and describes sync
 * plans in short texts.
 */

import type { Action, DeleteAction, PutAction } from '../../src/mirror/plan/action.ts';
import type { Hold } from '../../src/mirror/model/hold.ts';
import type { Plan, PlanInput, PlanPolicy, RemoteHead } from '../../src/mirror/plan/plan-types.ts';
import type { BaselineEntry, LocalEntry } from '../../src/mirror/model/types.ts';

export const NOW = Date.UTC(2026, 10, 21);

export function entry(path: string, changes: Partial<LocalEntry> = {}): LocalEntry {
  return {
    path,
    kind: 'file',
    sizeBytes: 10,
    mtimeMs: 1_000.5,
    ctimeMs: 1_000.5,
    inode: 7,
    mode: 0o644,
    uid: 1,
    gid: 1,
    ...changes,
  };
}

export function baselineOf(local: LocalEntry, changes: Partial<BaselineEntry> = {}): BaselineEntry {
  return { ...local, sha256: 'ours', etag: 'ours', versionId: 'v1', ...changes };
}

export const THEIRS: RemoteHead = {
  etag: 'theirs',
  sizeBytes: 10,
  versionId: 'v2',
  sha256: 'theirs',
};

export function policy(changes: Partial<PlanPolicy> = {}): PlanPolicy {
  return {
    bucket: 'versioned',
    conflict: 'keep-both',
    drift: 'report',
    isFirstRound: false,
    heldKeys: new Set(),
    answers: new Map(),
    deleteGuard: { files: 10_000, recentDeletes: 0, heldBefore: 0, exempt: new Set() },
    ...changes,
  };
}

export interface PlanParts {
  readonly baseline?: Readonly<Record<string, BaselineEntry>>;
  readonly entries?: Readonly<Record<string, LocalEntry & { readonly sha256?: string }>>;
  readonly unlisted?: readonly string[];
  readonly excluded?: readonly string[];
  readonly remote?: Readonly<Record<string, RemoteHead>>;
  readonly policy?: Partial<PlanPolicy>;
  readonly holds?: Readonly<Record<string, Hold>>;
}

export function planInput(parts: PlanParts): PlanInput {
  return {
    baseline: new Map(Object.entries(parts.baseline ?? {})),
    local: {
      entries: new Map(Object.entries(parts.entries ?? {})),
      unlisted: new Set(parts.unlisted),
      excludes: (key) => (parts.excluded ?? []).includes(key),
    },
    remote: new Map(Object.entries(parts.remote ?? {})),
    policy: policy(parts.policy),
    holds: new Map(Object.entries(parts.holds ?? {})),
    now: NOW,
  };
}

/**
 * Describes a sync plan in a short text, such as `put changed if ours, locked; drifted`. An empty
 * plan is `nothing`.
 */
export function describePlan({ actions, conflicts, notes }: Plan): string {
  const parts = [
    ...actions.map(describeAction),
    ...conflicts.map(({ outcome }) => `conflict ${outcome}`),
    ...notes.map(({ is }) => is),
  ];
  return parts.join('; ') || 'nothing';
}

function describeAction(action: Action): string {
  switch (action.kind) {
    case 'put': {
      const guard = 'ifMatch' in action.guard ? action.guard.ifMatch : 'absent';
      const { versionId, resolution } = action.supersedes ?? {};
      const decided = resolution === undefined ? '' : ` as decided`;
      const covers = action.supersedes ? `, covering ${versionId}${decided}` : '';
      return `put ${action.why} if ${guard}${covers}${action.lock ? ', locked' : ''}`;
    }
    case 'delete':
      return `delete if ${action.guard.ifMatch}`;
    case 'save-head':
      return `save ${action.head.etag} to ${action.into} then ${describeAction(action.next)}`;
    case 'copy-version-to-head':
      return `copy ${action.versionId} to head else ${describeAction(action.otherwise)}`;
    case 'examine':
      return `examine${action.readHead ? ' head' : ''}${action.hashFile ? ' file' : ''}${action.comparesContent ? ' content' : ''}`;
    case 'lock-foreign':
      return `lock ${action.head.versionId} then ${describeAction(action.next)}`;
    case 'download':
      return `take ${action.from.etag}`;
    case 'download-beside':
      return `take ${action.from.etag} beside${action.next ? ` then ${describeAction(action.next)}` : ''}`;
    default:
      return action.kind;
  }
}

/**
 * Returns the last put or delete of an action. Returns undefined if the action does not write to
 * the key.
 */
export function lastWrite(action: Action): PutAction | DeleteAction | undefined {
  if (action.kind === 'put' || action.kind === 'delete') return action;
  if ('otherwise' in action) return action.otherwise;
  return 'next' in action && action.next ? lastWrite(action.next) : undefined;
}

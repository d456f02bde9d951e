/** Defines the types that the modules of a sync round share. */

import type { Clock } from '../../base/clock.ts';
import type { ChangeGuard } from '../guard/change-guard.ts';
import type { Deferrals } from '../limits/deferrals.ts';
import type { Excluder } from '../local/exclude.ts';
import type { RecentReads } from '../local/recent-reads.ts';
import type { TreeMember } from '../local/tree/folder-tree.ts';
import type { Tracker } from '../model/tracker.ts';
import type { JobDestination } from '../objects/destination.ts';
import type { PlanPolicy, Plan, RemoteHead } from '../plan/plan-types.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Executor } from '../transfer/executor.ts';
import type { Retries } from '../transfer/retries.ts';
import type { FinishedRound } from '../model/round-record.ts';
import type { MirrorJob } from '../model/types.ts';
import type { Ownership } from '../ownership/ownership.ts';
import type { PerformContext } from '../transfer/step-types.ts';
import type { Agenda } from './agenda.ts';
import type { LinkHints } from './link-hints.ts';
import type { MissedEventsCheck } from './missed-events.ts';

export interface RoundContext {
  readonly destination: JobDestination;
  readonly root: string;
  readonly prefix: string;
  readonly state: StateFile;
  readonly excluder: Excluder;
  readonly clock: Clock;
  readonly tracker: Tracker;
  readonly retries: Retries;
  readonly reads: RecentReads;
  readonly deferrals: Deferrals;
  readonly executor: Executor;
  readonly changeGuard: ChangeGuard;
  readonly signal: AbortSignal;
  /** Lists folders, and watches each folder before it is listed. */
  readonly tree: TreeMember;
  readonly missedEvents: MissedEventsCheck;
  /** Schedules a scan of the path's folder. */
  readonly hint: (path: string) => void;
  /**
   * Remembers for one session which hard links were queued. The next session begins with a full round, which finds all
   * changes.
   */
  readonly linkHints: LinkHints;
  readonly policy: () => PlanPolicy;
  readonly record: (plan: Plan) => void;
  /** Called for each folder that a full round has scanned, with its number of files. */
  readonly onScanned: (files: number) => void;
  /** Throws if the root is not the mirrored folder, because its missing files would otherwise count as deleted. */
  readonly checkRoot: (how?: { readonly isQuick: boolean }) => void;
}

export interface RoundOutcome {
  /** Number of actions that the round planned. */
  readonly actions: number;
  /** Whether a file changed while its earlier state is still being uploaded. */
  readonly isLate: boolean;
}

/** The results that a round has collected so far. */
export interface Gathered {
  /** Whether the round scans the whole folder. */
  readonly isFull: boolean;
  /** Whether a caller is waiting for this round, so that no change is deferred. */
  readonly isUrgent: boolean;
  readonly since: number;
  /** Folder listings that began after this logical time may be reused. */
  readonly after: number;
  readonly remote: Map<string, RemoteHead>;
  /** Whether the bucket was listed, so that `remote` contains all versions that differ from the baseline. */
  readonly isListed: boolean;
  readonly missing: string[];
  readonly unlisted: Set<string>;
  readonly scanned: Set<string>;
  /**
   * Keys of files that were saved and planned after the full round listed their folder. The listing contains an older
   * state of them.
   */
  readonly saved?: Set<string>;
  /** Whether the actions start before other queued actions. */
  readonly isFirst?: true;
  /** Waits until more actions may be planned. In the meantime, a full round plans saved files. */
  readonly capacity: () => Promise<void>;
  actions: number;
  isLate: boolean;
}

export interface SessionContext extends Omit<
  PerformContext,
  'signal' | 'policy' | 'putObject' | 'record' | 'hint'
> {
  readonly job: MirrorJob;
  readonly ownership: Ownership;
  readonly agenda: Agenda;
  readonly excluder: RoundContext['excluder'];
  readonly tree: RoundContext['tree'];
  readonly checkRoot: RoundContext['checkRoot'];
  readonly onScanned: RoundContext['onScanned'];
  /** Sets the locks that no running upload will confirm. */
  readonly lockUnseen: () => Promise<void>;
  /** Called with `scanning` when a full round starts to scan, and with undefined after the scan. */
  readonly onPhase: (phase: 'scanning' | undefined) => void;
  readonly onRound: (round: FinishedRound, summary: string) => void;
}

/** Returns the initial results for a round. */
export function gather(
  found: Pick<
    Gathered,
    | 'isFull'
    | 'isUrgent'
    | 'since'
    | 'after'
    | 'remote'
    | 'isListed'
    | 'saved'
    | 'isFirst'
    | 'capacity'
  >,
): Gathered {
  return {
    ...found,
    missing: [],
    unlisted: new Set(),
    scanned: new Set(),
    actions: 0,
    isLate: false,
  };
}

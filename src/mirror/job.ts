/** Runs a job's sessions one after the other, waits after a failed session, and reports the job's status. */

import { unlessAborted } from '../base/abortable.ts';
import { FilesInFlight } from '../base/files-in-flight.ts';
import { Agenda, queueEvents } from './rounds/agenda.ts';
import { Ownership } from './ownership/ownership.ts';
import { failureKind } from './model/failure-kind.ts';
import type { TreeMember } from './local/tree/folder-tree.ts';
import { RecentReads } from './local/recent-reads.ts';
import { type ConditionalWrites, conditionalWritesOf } from './capabilities/conditional-writes.ts';
import { localSaver } from './transfer/save-version.ts';
import { controlWrites, type WriteControl } from './transfer/write-control.ts';
import { guardedDestination } from './capabilities/guarded-store.ts';
import type { ConflictControl } from './conflicts/conflicts.ts';
import { ChangeGuard } from './guard/change-guard.ts';
import { deletesBeforeLoss, heldDeletesText } from './guard/prior-deletes.ts';
import { heldStatus, controlHeldChanges, type HeldChangesControl } from './rounds/held-review.ts';
import { controlConflicts } from './conflicts/resolve-conflicts.ts';
import { listenForChanges } from './rounds/remote-changes.ts';
import { listedAt } from './rounds/remote-scan.ts';
import { controlWork, type JobWork } from './rounds/work-report.ts';
import { controlLocks } from '../retention/control-locks.ts';
import { timesOfJob } from '../restore/own-times.ts';
import { VersionPruning } from '../retention/version-pruning.ts';
import { JobLocks } from '../retention/job-locks.ts';
import { ProblemReport } from './state/problem-report.ts';
import { Verification } from '../verification/verification.ts';
import type { Mirror, MirrorOptions, MirrorParts } from './mirror.ts';
import { JobLimits } from './limits/job-limits.ts';
import { Retries } from './transfer/retries.ts';
import { abortAllUploads } from './transfer/unfinished-uploads.ts';
import { emptySnapshotFolder } from './local/snapshot.ts';
import { acceptRoot, checkRoot } from './guard/root-check.ts';
import type { SessionContext } from './rounds/round-context.ts';
import { runSession } from './rounds/session.ts';
import { Deferrals } from './limits/deferrals.ts';
import { JobSettings } from './objects/job-settings.ts';
import { JobPhase } from './job-phase.ts';
import { describeFailure, LONGEST_REST_MS } from './session-failure.ts';
import { closeState, stateWarnings } from './state/rebuild-state.ts';
import type { StateFile } from './state/state-file.ts';
import { describeStatus, type MirrorStatus, type StatusParts, unlessDamaged } from './status.ts';
import type { Provenance } from './objects/provenance.ts';
import type { JobDestination } from './objects/destination.ts';
import { Tracker } from './model/tracker.ts';

export class FolderMirror implements Mirror {
  readonly heldChanges: HeldChangesControl;
  readonly ownership: Ownership;
  readonly conflicts: ConflictControl;
  readonly verification: Verification;
  readonly locks: Mirror['locks'];
  readonly writes: WriteControl;
  readonly versionTimes: Mirror['versionTimes'];
  readonly provenance: Provenance;
  readonly pruning: VersionPruning;
  readonly problems: ProblemReport;
  readonly work: JobWork;
  readonly #options: MirrorOptions;
  readonly #state: StateFile;
  readonly #agenda: Agenda;
  readonly #retries: Retries;
  readonly #reads = new RecentReads();
  readonly #filesRead = new FilesInFlight();
  readonly #snapshotFolder: string;
  readonly #locks: JobLocks;
  readonly #deferrals: Deferrals;
  readonly #guards: ConditionalWrites;
  readonly #changeGuard: ChangeGuard;
  readonly #limits: JobLimits;
  readonly #destination: JobDestination;
  readonly #settings: JobSettings;
  readonly #tracker: Tracker;
  readonly #phase: JobPhase;
  readonly #tree: TreeMember;
  readonly #closing = new AbortController();
  readonly #warners: readonly { warnings(): readonly string[] }[];
  #session = new AbortController();
  #life: Promise<void> | undefined;
  #paused: StatusParts['standstill'];
  /** Number of sessions that have failed since the last finished sync round. */
  #failures = 0;
  #lastStatus: MirrorStatus | undefined;

  constructor(options: MirrorOptions, { tree, state, provenance }: MirrorParts) {
    const { clock } = options;
    this.#options = options;
    this.#state = state;
    this.provenance = provenance;
    this.#agenda = new Agenda(clock, () => tree.moment());
    this.#snapshotFolder = emptySnapshotFolder(options.stateDir);
    this.#guards = conditionalWritesOf(options, state);
    this.#limits = new JobLimits(options, state, () => this.#runConditionsChanged());
    const destination = guardedDestination({ ...options, store: this.#limits.store }, this.#guards);
    this.#destination = { ...this.#limits.withFreeSpaceCheck(destination), provenance };
    this.#settings = new JobSettings(options.job, this.#destination);
    const marked = { ...options, destination: this.#destination, state, guards: this.#guards };
    this.ownership = new Ownership({ ...marked, retry: () => this.#retry() });
    const hint = (path: string) => this.#agenda.hint(path);
    this.#retries = new Retries(clock, hint);
    this.#phase = new JobPhase(clock, () => {
      this.work.creditRound();
      if (!this.#closing.signal.aborted) options.onChange(this.status());
    });
    this.#tracker = new Tracker({ ...options, onChange: () => this.#phase.changed() });
    const onClockDiffers = () => this.#session.abort();
    this.#locks = new JobLocks({ ...options, onClockDiffers }, state, this.#tracker);
    this.#deferrals = new Deferrals({ ...options, state, due: hint });
    const requestRound = () => this.#request(false);
    const parts = { ...options, destination: this.#destination, state, tracker: this.#tracker };
    this.heldChanges = controlHeldChanges({ ...parts, requestRound });
    this.conflicts = controlConflicts({ ...parts, requestRound });
    this.locks = controlLocks({
      ...this.#locks.control,
      excluder: tree.excluder,
      status: () => this.#locks.status(this.#deferrals.status()),
      startRound: () => void requestRound(),
    });
    const hintKey = (key: string) => this.#agenda.hintKey(key);
    const { newVersions } = this.#locks;
    const saveLocal = localSaver({ ...parts, newVersions });
    const writes = { ...parts, ...newVersions, hintKey, saveLocal };
    this.writes = controlWrites(this.#guards, this.#destination, writes);
    this.#changeGuard = new ChangeGuard({ ...parts, ...newVersions });
    const isPaused = () => this.#standstill() !== undefined;
    this.versionTimes = timesOfJob({ ...options, provenance }, state, this.#guards);
    const { ownership, versionTimes: times } = this;
    this.pruning = new VersionPruning({ ...parts, ownership, isPaused, times });
    this.verification = new Verification({
      ...parts,
      excluder: tree.excluder,
      lockClock: this.#locks.clock,
      hint,
      folder: `${options.stateDir}/drill`,
      isRemote: options.isRemote ?? false,
      isBusy: () => this.#paused !== undefined || this.#tracker.oldestSince() !== undefined,
    });
    this.problems = new ProblemReport({ ...parts, damage: this.verification.damage });
    const rounds = { agenda: this.#agenda, phase: this.#phase, locks: this.#locks };
    const later = { retries: this.#retries, deferrals: this.#deferrals };
    this.work = controlWork({ ...parts, ...rounds, ...later, filesRead: this.#filesRead });
    const own = { warnings: () => stateWarnings(state, clock) };
    this.#warners = [own, this.#tracker, this.#limits, this.#guards, this.#locks, this.#settings];
    // Registers with the shared folder tree last, because the job must not stay registered if an earlier step throws.
    const onChange = () => this.#phase.changed();
    this.#tree = queueEvents(tree, {
      ...options,
      agenda: this.#agenda,
      reads: this.#reads,
      onChange,
    });
    listenForChanges(options, rounds, this.#closing.signal);
  }

  status(): MirrorStatus {
    return this.#lastStatus ?? unlessDamaged(() => this.#describe());
  }

  start(): void {
    this.#limits.conditions.start();
    this.#life ??= this.#runSessions();
    this.#locks.start({ hasSession: this.#standstill() === undefined });
    this.verification.start();
    this.pruning.start();
  }

  async runNow(): Promise<void> {
    void this.verification.damage.checkAll();
    await this.#limits.conditions.override(() => this.#request(true));
  }

  async settled(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const round = this.verification.damage.check().then(() => this.#request(false));
    const locked = round.then(() => this.#locks.lockDue()).then(() => this.#guards.probed());
    const checked = locked.then(() => this.verification.damage.check());
    await unlessAborted(checked, signal);
  }

  pause(reason?: string): void {
    this.#paused = { state: 'paused', ...(reason !== undefined && { reason }) };
    this.#session.abort();
    this.#phase.setStandstill(this.#paused);
    this.#agenda.nudge();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = undefined;
    this.#retry();
  }

  acceptRoot(): void {
    acceptRoot(this.#options.job.root, this.#state);
    this.#agenda.nudge();
  }

  clockChanged(): void {
    this.#locks.clockChanged();
    this.#agenda.nudge();
  }

  async close(signal?: AbortSignal): Promise<readonly string[]> {
    this.#closing.abort();
    this.#limits.conditions.close();
    const others = [this.#locks, this.verification, this.pruning, this.#guards];
    await Promise.all([this.#life, ...others.map((each) => each.close())]);
    await this.#guards.close();
    for (const each of [this.#retries, this.#deferrals]) each.close();
    await this.#tree.leave();
    if (this.#lastStatus) return [];
    const uploads = { state: this.#state, destination: this.#destination, guards: this.#guards };
    const left = signal ? await abortAllUploads(uploads, signal) : [];
    this.#phase.setStandstill({ state: 'stopped' });
    this.#lastStatus = this.status();
    this.#agenda.endRequests();
    this.work.creditRound();
    closeState(this.#state, this.#options);
    return left;
  }

  #describe(): MirrorStatus {
    const phase = this.#phase.parts();
    const busySince = this.#retries.busySince();
    const deferrals = this.#deferrals.status();
    const since = [this.#tracker.oldestSince(), this.#agenda.oldestSince(), deferrals.since];
    const hinted = this.#agenda.hintCount() + busySince.length;
    const counted = { ...this.#state.counts(), ...this.problems.counts(), hinted };
    return describeStatus({
      ...phase,
      isScanning: phase.isScanning || this.#agenda.isOverflown,
      since: [...since, ...busySince],
      counts: this.#tracker.counts(counted),
      heldDeletes: heldDeletesText(this.#state),
      passed: deletesBeforeLoss(this.#state),
      problems: this.problems.shown(),
      comparedAt: this.#options.changes ? undefined : listedAt(this.#state),
      brake: heldStatus(this.#state),
      coverage: this.#tree.coverage(this.#agenda.missedEvents.missed()),
      manners: this.#limits.status(),
      warnings: this.#warners.flatMap((each) => each.warnings()),
      capabilities: this.#guards.status(),
      proof: this.verification.status(),
      keep: this.pruning.status(),
      locks: this.#locks.status(deferrals),
    });
  }

  #request(remote: boolean): Promise<void> {
    if (this.#closing.signal.aborted) return Promise.resolve();
    return new Promise((done) => this.#agenda.request({ remote, done }));
  }

  async #runSessions(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const rest = this.#standstill();
      if (rest) {
        this.#phase.setStandstill(rest);
        this.#agenda.endRequests();
        await this.#agenda.change(LONGEST_REST_MS, signal);
        continue;
      }
      await this.#runOnce();
    }
    this.#agenda.endRequests();
  }

  #standstill(): StatusParts['standstill'] {
    return this.#paused ?? this.#limits.conditions.standstill();
  }

  /** Starts the next session at once, and removes the reason why the job was stopped from the status. */
  #retry(): void {
    if (this.#phase.parts().standstill) this.#phase.setStandstill(this.#standstill());
    this.#agenda.nudge();
  }

  #runConditionsChanged(): void {
    const rest = this.#standstill();
    if (rest) this.#session.abort();
    this.#phase.setStandstill(rest);
    this.#agenda.nudge();
  }

  async #runOnce(): Promise<void> {
    this.#session = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, this.#session.signal]);
    this.#phase.setStandstill(undefined);
    try {
      await this.#locks.checkClock(signal);
      await this.#limits.beforeSession(this.#sessionContext(), signal);
      await runSession(this.#sessionContext(), signal);
    } catch (error) {
      this.#locks.sessionEnded();
      if (!signal.aborted) await this.#afterFailure(error);
    }
  }

  /** Reports a failed session, then waits. Also ends pending requests, unless the failure is transient. */
  async #afterFailure(error: unknown): Promise<void> {
    const { name } = this.#options.job;
    const { reason, standstill, waitMs, isRoot } = describeFailure(error, ++this.#failures, name);
    const fields = { job: name, error: reason, waitMs };
    this.#options.logger.warn(fields, 'mirror job: failed, retrying later');
    this.#phase.setStandstill(standstill);
    if (failureKind(error) !== 'transient') this.#agenda.endRequests();
    if (isRoot) {
      this.#reads.noteLostEvents();
      await this.#tree.closeWatch();
    }
    await this.#agenda.backOff(waitMs, this.#closing.signal);
  }

  #sessionContext(): SessionContext {
    const { root, conflictWindowDays } = this.#options.job;
    return {
      ...this.#options,
      root,
      destination: this.#destination,
      ownership: this.ownership,
      guards: this.#guards,
      changeGuard: this.#changeGuard,
      turns: this.#limits.turns,
      state: this.#state,
      snapshotFolder: this.#snapshotFolder,
      agenda: this.#agenda,
      conflictWindowDays,
      tracker: this.#tracker,
      reads: this.#reads,
      filesRead: this.#filesRead,
      retries: this.#retries,
      ...this.#locks.ofSession,
      settings: this.#settings,
      deferrals: this.#deferrals,
      excluder: this.#tree.excluder,
      tree: this.#tree,
      checkRoot: (how) => checkRoot(root, this.#state, { at: this.#options.clock.now(), ...how }),
      onPhase: (phase) => this.#phase.setScanning(phase === 'scanning'),
      onScanned: (files) => this.#phase.scanned(files),
      onRound: (round, text) => {
        this.#failures = 0;
        this.work.noteRound(round);
        this.#phase.roundFinished(round.kind, text);
        this.#limits.conditions.check();
      },
    };
  }
}

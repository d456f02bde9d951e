/** Keeps a job's uploads in progress, problems, held keys and totals in memory. The job's status is built from them. */

import { bytesText, countText } from '../../text/amounts.ts';
import { ForeignKeys } from './foreign-keys.ts';
import { folderKey, parentOf } from './local-path.ts';
import type { RoundTotals } from './round-record.ts';
import type { LocalEntry, Problem } from './types.ts';

export interface Counts {
  readonly files: number;
  readonly bytes: number;
  readonly pending: number;
  readonly pendingBytes: number;
  readonly uploadedVersions: number;
  readonly uploadedBytes: number;
  readonly deleted: number;
  readonly conflicts: number;
  readonly drifted: number;
  readonly foreign: number;
  readonly held: number;
  /** Number of keys that are held because of a conflict until the user decides; absent if 0. */
  readonly heldConflicts?: number;
  readonly problems: number;
  /** Number of sockets, pipes and devices, which are not backed up; absent if 0. */
  readonly skipped?: number;
  /** Number of problems that the user acknowledged, which `problems` does not include; absent if 0. */
  readonly acknowledged?: number;
}

export type ProblemCounts = Pick<Counts, 'problems' | 'skipped' | 'acknowledged'>;

/** Status numbers that other modules count. */
interface CountedElsewhere extends Pick<Counts, 'files' | 'bytes'>, ProblemCounts {
  readonly openConflicts: number;
  readonly heldDeletes: number;
  /** Number of paths that are queued for a scan because they may have changed. */
  readonly hinted: number;
}

/** One line of the activity log that users can follow. */
export interface Activity {
  readonly level: 'info' | 'warn' | 'error';
  readonly action: string;
  readonly path?: string;
  readonly message: string;
}

/** Upload or delete of one key that is in progress. */
export interface UnderWay {
  /** When the job first noticed the change, in milliseconds since 1970. */
  readonly since: number;
  readonly sizeBytes: number;
  /** The entry that is uploaded; absent for a delete. */
  readonly entry?: LocalEntry;
}

interface Copies {
  count: number;
  bytes: number;
  last: { readonly from: string; readonly to: string } | undefined;
}

export interface TrackerHooks {
  readonly onChange: () => void;
  readonly onActivity: (activity: Activity) => void;
}

export class Tracker {
  readonly #hooks: TrackerHooks;
  readonly #underWay = new Map<string, UnderWay>();
  #bytesUnderWay = 0;
  readonly #whenOver = new Map<string, () => void>();
  readonly #folderProblems = new Map<string, readonly Problem[]>();
  /** Problems with individual paths, by parent folder and then by path. */
  readonly #pathProblems = new Map<string, Map<string, Problem>>();
  readonly #held = new Map<string, { readonly isConflict: boolean }>();
  readonly #drifted = new Set<string>();
  /** Keys for which the bucket lost the newest version that this job uploaded. */
  readonly #outdated = new Set<string>();
  #outdatedReported = 0;
  readonly foreign = new ForeignKeys();
  #copies: Copies = { count: 0, bytes: 0, last: undefined };
  /** Old keys of moved files whose content was copied to a new key. Deletes of these keys are not logged. */
  readonly #movedFrom = new Set<string>();
  #uploadedVersions = 0;
  #uploadedBytes = 0;
  #deleted = 0;

  constructor(hooks: TrackerHooks) {
    this.#hooks = hooks;
  }

  begin(key: string, work: UnderWay): void {
    this.#bytesUnderWay += work.sizeBytes - (this.#underWay.get(key)?.sizeBytes ?? 0);
    this.#underWay.set(key, work);
    this.#hooks.onChange();
  }

  end(key: string): void {
    const work = this.#underWay.get(key);
    if (!work) return;
    this.#underWay.delete(key);
    this.#bytesUnderWay -= work.sizeBytes;
    if (this.#underWay.size === 0) this.#reportSummary();
    this.#hooks.onChange();
    const callback = this.#whenOver.get(key);
    this.#whenOver.delete(key);
    callback?.();
  }

  /**
   * Calls `callback` when the work in progress for the key ends, unless the session ends first. Replaces the key's
   * earlier callback.
   */
  whenOver(key: string, callback: () => void): void {
    this.#whenOver.set(key, callback);
  }

  /** Returns whether a callback waits for the end of the key's work. */
  isAwaited(key: string): boolean {
    return this.#whenOver.has(key);
  }

  #reportSummary(): void {
    this.#reportCopies();
    if (this.#outdated.size === this.#outdatedReported) return;
    this.#outdatedReported = this.#outdated.size;
    const [message = ''] = this.warnings();
    this.say({ level: 'warn', action: 'outdated', message });
  }

  #reportCopies(): void {
    const { count, bytes, last } = this.#copies;
    if (!last) return;
    this.#copies = { count: 0, bytes: 0, last: undefined };
    const what = count === 1 ? `${last.from} → ${last.to}` : countText(count, 'file');
    const message = `${what}: ${bytesText(bytes)} copied within the bucket, not uploaded again`;
    this.say({ level: 'info', action: 'copy', ...(count === 1 && { path: last.to }), message });
  }

  underWay(key: string): UnderWay | undefined {
    return this.#underWay.get(key);
  }

  keysUnderWay(): Iterable<string> {
    return this.#underWay.keys();
  }

  /**
   * Returns when the oldest change in progress was first noticed, in milliseconds since 1970; undefined if no work is
   * in progress.
   */
  oldestSince(): number | undefined {
    let oldest: number | undefined;
    for (const { since } of this.#underWay.values())
      if (oldest === undefined || since < oldest) oldest = since;
    return oldest;
  }

  /** Replaces the problems that the last scan of the folder found. An empty list removes them all. */
  setFolderProblems(folder: string, problems: readonly Problem[]): void {
    if (problems.length === 0 && !this.#folderProblems.delete(folder)) return;
    if (problems.length > 0) this.#folderProblems.set(folder, problems);
    this.#hooks.onChange();
  }

  /**
   * Removes the problems of a deleted folder and of all paths below it. Paths for which `isKept` returns true keep
   * their problems.
   */
  forgetBelow(folder: string, isKept: (path: string) => boolean): void {
    const isBelow = (each: string) => each === folder || each.startsWith(`${folder}/`);
    for (const each of this.#folderProblems.keys())
      if (isBelow(each)) this.#folderProblems.delete(each);
    for (const [each, problems] of this.#pathProblems) {
      if (!isBelow(each)) continue;
      for (const path of problems.keys()) if (!isKept(path)) problems.delete(path);
      if (problems.size === 0) this.#pathProblems.delete(each);
    }
    this.#hooks.onChange();
  }

  /** Returns whether the last scan of the folder reported a problem for one of these names. */
  hasScanProblem(folder: string, names: ReadonlySet<string>): boolean {
    const problems = this.#folderProblems.get(folder) ?? [];
    return problems.some(({ path }) => names.has(path.slice(folderKey(folder).length)));
  }

  /** Returns whether the last scan could not list the whole of `folder`. */
  isUnlisted(folder: string): boolean {
    const problems = this.#folderProblems.get(folder) ?? [];
    return problems.some(({ code }) => code === 'unlistable' || code === 'unreadable');
  }

  /** Returns the folders that have a problem themselves or directly contain a path with a problem. */
  foldersWithProblems(): ReadonlySet<string> {
    return new Set([...this.#folderProblems.keys(), ...this.#pathProblems.keys()]);
  }

  /** Returns the paths directly inside `folder` that have a problem. */
  pathsWithProblem(folder: string): readonly string[] {
    return [...(this.#pathProblems.get(folder)?.keys() ?? [])];
  }

  setProblem(problem: Problem): void {
    const { path, code: action, message } = problem;
    const folder = parentOf(path);
    const inFolder = this.#pathProblems.get(folder) ?? new Map<string, Problem>();
    this.#pathProblems.set(folder, inFolder);
    const isNew = inFolder.get(path)?.message !== message;
    inFolder.set(path, problem);
    if (isNew) this.say({ level: 'warn', action, path, message });
  }

  /** Removes a path's problem. With `code`, removes the problem only if it has this code. */
  clearProblem(path: string, code?: Problem['code']): void {
    const folder = parentOf(path);
    const inFolder = this.#pathProblems.get(folder);
    if (code !== undefined && inFolder?.get(path)?.code !== code) return;
    if (!inFolder?.delete(path)) return;
    if (inFolder.size === 0) this.#pathProblems.delete(folder);
    this.#hooks.onChange();
  }

  /** Reports that a status number of another module has changed. */
  changed(): void {
    this.#hooks.onChange();
  }

  setHeld(key: string, isConflict: boolean): void {
    this.#held.set(key, { isConflict });
    this.#hooks.onChange();
  }

  clearHeld(key: string): void {
    if (this.#held.delete(key)) this.#hooks.onChange();
  }

  setDrifted(key: string, isDrifted: boolean): void {
    if (isDrifted) this.#drifted.add(key);
    else this.#drifted.delete(key);
  }

  driftedKeys(): Iterable<string> {
    return this.#drifted;
  }

  /** Removes the drifted keys whose current version matches the baseline (the last synced state) again. */
  filterDrifted(isDifferent: (key: string) => boolean): void {
    for (const key of this.#drifted) if (!isDifferent(key)) this.#drifted.delete(key);
  }

  /** Records that the bucket lost the key's newest version, which the job uploaded. */
  setOutdated(key: string): void {
    this.#outdated.add(key);
  }

  /** Returns the warnings that were recorded since the job was opened. */
  warnings(): readonly string[] {
    const { size } = this.#outdated;
    if (size === 0) return [];
    return [
      `the bucket lost the newest versions of ${size === 1 ? '1 file' : `${size} files`} that this job uploaded: the bucket was restored from a ` +
        'snapshot, or lost its last writes; the job uploads them again',
    ];
  }

  countUpload(sizeBytes: number): void {
    this.#uploadedVersions++;
    this.#uploadedBytes += sizeBytes;
  }

  countDelete(): void {
    this.#deleted++;
  }

  /** Returns the number of uploads and deletes, and the uploaded bytes, since the job was opened. */
  totals(): RoundTotals {
    return { versions: this.#uploadedVersions, bytes: this.#uploadedBytes, deletes: this.#deleted };
  }

  /**
   * Counts a copy within the bucket. The log combines all copies until the job is idle, so that a moved folder is
   * logged as one line.
   */
  countCopy(copy: { from: string; to: string; isMove: boolean; sizeBytes: number }): void {
    this.#copies.count++;
    this.#copies.bytes += copy.sizeBytes;
    this.#copies.last = copy;
    if (copy.isMove) this.#movedFrom.add(copy.from);
  }

  isMoved(key: string): boolean {
    return this.#movedFrom.has(key);
  }

  /** Returns whether deleting this key completes a move. Returns true only once for each move. */
  takeMoved(key: string): boolean {
    return this.#movedFrom.delete(key);
  }

  say(activity: Activity): void {
    this.#hooks.onActivity(activity);
    this.#hooks.onChange();
  }

  /** Clears the work in progress when the session ends. The next session plans the work again. */
  reset(): void {
    this.#underWay.clear();
    this.#whenOver.clear();
    this.#bytesUnderWay = 0;
    this.#movedFrom.clear();
  }

  /** Returns the message of a path's problem; undefined if the path has no problem. */
  problemOf(path: string): string | undefined {
    const parent = parentOf(path);
    const ofPath = this.#pathProblems.get(parent)?.get(path);
    if (ofPath) return ofPath.message;
    // A scan stores the problem under the parent folder, or under the path itself if it is a folder that cannot be
    // listed.
    const scanned = [parent, path].flatMap((folder) => this.#folderProblems.get(folder) ?? []);
    return scanned.find((problem) => problem.path === path)?.message;
  }

  /** Returns the job's counts, including those from other modules. */
  counts({ openConflicts, heldDeletes, hinted, ...counted }: CountedElsewhere): Counts {
    const heldConflicts = [...this.#held.values()].filter(({ isConflict }) => isConflict).length;
    return {
      ...counted,
      pending: this.#underWay.size + hinted,
      pendingBytes: this.#bytesUnderWay,
      uploadedVersions: this.#uploadedVersions,
      uploadedBytes: this.#uploadedBytes,
      deleted: this.#deleted,
      conflicts: openConflicts + heldConflicts,
      drifted: this.#drifted.size,
      foreign: this.foreign.count,
      held: this.#held.size + heldDeletes,
      ...(heldConflicts > 0 && { heldConflicts }),
    };
  }

  /** Yields all problems, including those of skipped entries (sockets, pipes and devices). */
  *allProblems(): Generator<Problem> {
    for (const problems of this.#folderProblems.values()) yield* problems;
    for (const problems of this.#pathProblems.values()) yield* problems.values();
  }
}

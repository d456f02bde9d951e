/** What a job knows of its own work: what is under way, what is wrong, what was done. The source of its status. */

import { ForeignKeys } from './foreign-keys.ts';
import { parentOf } from './local-path.ts';
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
  /** Of the conflicts, those that are held: nothing is done of them until the user says what. Absent for none. */
  readonly heldConflicts?: number;
  readonly problems: number;
  /** Sockets, pipes and devices: they have no content to back up. Absent for none. */
  readonly skipped?: number;
  /** Problems that the user acknowledged, which are not among `problems`. Absent for none. */
  readonly acknowledged?: number;
}

export type ProblemCounts = Pick<Counts, 'problems' | 'skipped' | 'acknowledged'>;

/** What is counted elsewhere. */
interface CountedElsewhere extends Pick<Counts, 'files' | 'bytes'>, ProblemCounts {
  readonly openConflicts: number;
  readonly heldDeletes: number;
  /** Paths that are to be looked at. */
  readonly hinted: number;
}

/** One line for people who watch. */
export interface Activity {
  readonly level: 'info' | 'warn' | 'error';
  readonly action: string;
  readonly path?: string;
  readonly message: string;
}

/** A key on its way to the bucket. */
export interface UnderWay {
  /** Milliseconds since 1970: when the change was first known. */
  readonly since: number;
  readonly sizeBytes: number;
  /** What is being mirrored; absent for a delete. */
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
  /** By folder, then by path. */
  readonly #pathProblems = new Map<string, Map<string, Problem>>();
  readonly #held = new Map<string, { readonly isConflict: boolean }>();
  readonly #drifted = new Set<string>();
  /** Keys whose newest version the bucket lost. */
  readonly #outdated = new Set<string>();
  #outdatedReported = 0;
  readonly foreign = new ForeignKeys();
  #copies: Copies = { count: 0, bytes: 0, last: undefined };
  /** Keys whose bytes stand under a new name since; their deletes are not worth a line. */
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
    if (this.#underWay.size === 0) this.#reportTogether();
    this.#hooks.onChange();
    const callback = this.#whenOver.get(key);
    this.#whenOver.delete(key);
    callback?.();
  }

  /** `callback` is called once what is under way for the key is over; not where the session ends before. Replaces the one before. */
  whenOver(key: string, callback: () => void): void {
    this.#whenOver.set(key, callback);
  }

  /** Whether the end of what is under way for the key is waited for. */
  isAwaited(key: string): boolean {
    return this.#whenOver.has(key);
  }

  #reportTogether(): void {
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
    const what = count === 1 ? `${last.from} → ${last.to}` : `${count} files`;
    const message = `${what}: ${bytes} bytes copied in the bucket, not sent again`;
    this.say({ level: 'info', action: 'copy', ...(count === 1 && { path: last.to }), message });
  }

  underWay(key: string): UnderWay | undefined {
    return this.#underWay.get(key);
  }

  keysUnderWay(): Iterable<string> {
    return this.#underWay.keys();
  }

  /** When the oldest change that is under way was first known. */
  oldestSince(): number | undefined {
    let oldest: number | undefined;
    for (const { since } of this.#underWay.values())
      if (oldest === undefined || since < oldest) oldest = since;
    return oldest;
  }

  /** Replaces what was wrong with one folder's entries. */
  setFolderProblems(folder: string, problems: readonly Problem[]): void {
    if (problems.length === 0 && !this.#folderProblems.delete(folder)) return;
    if (problems.length > 0) this.#folderProblems.set(folder, problems);
    this.#hooks.onChange();
  }

  /** A folder that is gone has no problems any more, nor has what was below it, but for some paths. */
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

  /** Whether the folder could not be listed whole when it was looked at last. */
  isUnlisted(folder: string): boolean {
    const problems = this.#folderProblems.get(folder) ?? [];
    return problems.some(({ code }) => code === 'unlistable' || code === 'unreadable');
  }

  /** Folders with problems, or with paths directly in them that have one. */
  troubledFolders(): ReadonlySet<string> {
    return new Set([...this.#folderProblems.keys(), ...this.#pathProblems.keys()]);
  }

  /** Paths directly in `folder` with a problem of their own. */
  troubledIn(folder: string): readonly string[] {
    return [...(this.#pathProblems.get(folder)?.keys() ?? [])];
  }

  setProblem(problem: Problem): void {
    const { path, code: action, message } = problem;
    const folder = parentOf(path);
    const inFolder = this.#pathProblems.get(folder) ?? new Map<string, Problem>();
    this.#pathProblems.set(folder, inFolder);
    const isNews = inFolder.get(path)?.message !== message;
    inFolder.set(path, problem);
    if (isNews) this.say({ level: 'warn', action, path, message });
  }

  /** `code`: only if it is that one. */
  clearProblem(path: string, code?: Problem['code']): void {
    const folder = parentOf(path);
    const inFolder = this.#pathProblems.get(folder);
    if (code !== undefined && inFolder?.get(path)?.code !== code) return;
    if (!inFolder?.delete(path)) return;
    if (inFolder.size === 0) this.#pathProblems.delete(folder);
    this.#hooks.onChange();
  }

  /** Something that a status tells of, and that is counted elsewhere. */
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

  /** Forgets the drift of keys whose head is as the baseline says again. */
  keepDrifted(isDifferent: (key: string) => boolean): void {
    for (const key of this.#drifted) if (!isDifferent(key)) this.#drifted.delete(key);
  }

  /** The bucket lost the newest version of this key, which the job uploaded. */
  setOutdated(key: string): void {
    this.#outdated.add(key);
  }

  /** Since the job was opened. */
  warnings(): readonly string[] {
    const { size } = this.#outdated;
    if (size === 0) return [];
    return [
      `the bucket lost the newest versions of ${size === 1 ? '1 file' : `${size} files`} that this job uploaded: it was restored from a ` +
        'snapshot, or lost its last writes; the job sends them again',
    ];
  }

  countUpload(sizeBytes: number): void {
    this.#uploadedVersions++;
    this.#uploadedBytes += sizeBytes;
  }

  countDelete(): void {
    this.#deleted++;
  }

  /** What was done since the job was opened. */
  deeds(): RoundTotals {
    return { versions: this.#uploadedVersions, bytes: this.#uploadedBytes, deletes: this.#deleted };
  }

  /** Copied in the bucket from another key. Told together when the work is done: a moved folder is one line. */
  countCopy(copy: { from: string; to: string; isMove: boolean; sizeBytes: number }): void {
    this.#copies.count++;
    this.#copies.bytes += copy.sizeBytes;
    this.#copies.last = copy;
    if (copy.isMove) this.#movedFrom.add(copy.from);
  }

  isMoved(key: string): boolean {
    return this.#movedFrom.has(key);
  }

  /** Whether the key's delete is the other half of a move; asked once. */
  wasMoved(key: string): boolean {
    return this.#movedFrom.delete(key);
  }

  say(activity: Activity): void {
    this.#hooks.onActivity(activity);
    this.#hooks.onChange();
  }

  /** Forgets what was under way: the session is over, the next one plans anew. */
  reset(): void {
    this.#underWay.clear();
    this.#whenOver.clear();
    this.#bytesUnderWay = 0;
    this.#movedFrom.clear();
  }

  /** What is wrong with one path, in words. */
  problemOf(path: string): string | undefined {
    return this.#pathProblems.get(parentOf(path))?.get(path)?.message;
  }

  /** Of the job, with what is counted elsewhere. */
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

  /** With what is skipped. */
  *allProblems(): Generator<Problem> {
    for (const problems of this.#folderProblems.values()) yield* problems;
    for (const problems of this.#pathProblems.values()) yield* problems.values();
  }
}

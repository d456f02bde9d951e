/** The state of the restore browser: the visible folder, the selected time, and the data loaded for them. */

import type { Ui } from '../../ui/ui.ts';
import { Lookups } from '../../data/lookups.ts';
import { outcomeOf } from '../../data/outcome.ts';
import type { Outcome } from '../../data/outcome.ts';
import { changedSince, NOW, readFolder, readMoments } from './folder-data.ts';
import type { Folder, FolderRow, Standing } from './folder-data.ts';
import type { Subject } from './subject.ts';
import { hasDifference, readSums } from './entry-sums.ts';
import type { Differences, EntrySums } from './entry-sums.ts';
import { isNow, shifted } from './time-travel.ts';
import type { At, Moments } from './time-travel.ts';

/** Called after a folder was loaded. The cursor moves to the path `cursorAt`. */
type OnRead = (rows: readonly FolderRow[], cursorAt: string | undefined) => void;

export class FolderModel {
  readonly job: Subject['job'];
  readonly #ui: Ui;
  readonly #onRead: OnRead;
  readonly #since: Lookups<FolderRow, Outcome<boolean>>;
  #path: string;
  #at: At;
  #folder: Outcome<Folder> | undefined;
  #moments: Outcome<Moments> | undefined;
  #keepsVersions = true;
  /** The totals by entry path. `pending` while they are loading; undefined if they are not counted for this folder. */
  #sums: ReadonlyMap<string, EntrySums> | 'pending' | undefined;
  #reading: AbortController | undefined;

  constructor(ui: Ui, { job, path }: Subject, at: At, onRead: OnRead) {
    this.job = job;
    this.#ui = ui;
    this.#onRead = onRead;
    this.#path = path;
    this.#at = at;
    this.#since = new Lookups<FolderRow, Outcome<boolean>>({
      clock: ui.clock,
      id: (row) => `${row.path}\0${this.#at ?? ''}`,
      ask: (row, signal) => {
        const since = this.#at ?? ui.clock.now();
        return outcomeOf(changedSince(ui, { job, path: row.path }, since, signal));
      },
      changed: () => ui.changes.soon(),
    });
  }

  get path(): string {
    return this.#path;
  }

  get at(): At {
    return this.#at;
  }

  get moments(): Moments | undefined {
    return this.#moments?.value;
  }

  get keepsVersions(): boolean {
    return this.#keepsVersions;
  }

  get isRead(): boolean {
    return this.#folder !== undefined;
  }

  /** A limitation of the list that the user should know, such as missing entries. */
  get said(): string | undefined {
    const problem = this.#folder?.problem ?? this.#moments?.problem;
    if (problem !== undefined) return problem;
    if (!this.#keepsVersions)
      return 'the bucket has no versioning: only its current objects can be restored';
    if (this.#folder?.value?.isCut)
      return 'the folder is very large: only the first entries are shown';
    return undefined;
  }

  /**
   * Returns the number of files with this kind of difference, at any depth. Until the files are counted, returns the
   * number of such entries in the folder.
   */
  count(standing: keyof Differences): number {
    if (this.#counted) {
      return [...this.#counted.values()].reduce((sum, each) => sum + each[standing], 0);
    }
    const rows = this.#folder?.value?.rows ?? [];
    return rows.filter((row) => this.standing(row) === standing).length;
  }

  /** Returns the totals of a subfolder. Returns undefined until they are counted. */
  readonly sumsOf = ({ path, isFolder }: FolderRow): EntrySums | undefined =>
    isFolder ? this.#counted?.get(path) : undefined;

  get #counted(): ReadonlyMap<string, EntrySums> | undefined {
    return this.#sums === 'pending' ? undefined : this.#sums;
  }

  readonly standing = (row: FolderRow): Standing => {
    if (row.is !== 'unknown') return row.is;
    if (this.#at === undefined) return 'same';
    const sums = this.#counted?.get(row.path);
    if (this.#counted) return sums && hasDifference(sums) ? 'changed' : 'same';
    const since = this.#since.of(row)?.value;
    return since === undefined ? 'unknown' : since ? 'changed' : 'same';
  };

  /** Loads the folder, its change times and all differences again. */
  refresh(): void {
    this.#since.expire();
    this.#moments = undefined;
    void this.#read();
  }

  stop(): void {
    this.#reading?.abort();
    this.#reading = undefined;
    this.#since.stop();
  }

  enter(path: string, cursorAt?: string): void {
    this.#path = path;
    this.#moments = undefined;
    this.#folder = undefined;
    void this.#read(cursorAt);
  }

  goTo(at: At): void {
    this.#at = at;
    void this.#read();
  }

  /** Shifts the selected time by `ms` milliseconds, which may be negative. */
  shift(ms: number): void {
    this.goTo(shifted(this.#at, ms, this.#ui.clock.now()));
  }

  /** Moves the selected time by `count` changes of the folder. */
  step(go: (known: Moments, at: At) => At | 'now', count: number): void {
    const known = this.moments;
    if (!known) return this.#ui.warn('the list of times is loading');
    let at = this.#at;
    for (let step = 0; step < count; step += 1) {
      const next = go(known, at);
      if (next === undefined) {
        this.#ui.warn(
          known.isComplete
            ? 'this is the earliest time'
            : 'earlier times are not known: press t to type one',
        );
        break;
      }
      at = next === 'now' || isNow(known, next) ? undefined : next;
    }
    this.goTo(at);
  }

  /**
   * For each visible subfolder that exists at both times, requests whether it changed. Needed only if the folder has
   * too many versions to count the differences.
   */
  lookBelow(seen: readonly FolderRow[]): void {
    if (this.#at !== undefined && this.#sums === undefined)
      this.#since.want(seen.filter(({ is }) => is === 'unknown'));
  }

  async #read(cursorAt?: string): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const { signal } = reading;
    this.#sums = 'pending';
    const subject = { job: this.job, path: this.#path };
    const [folder, moments, keepsVersions] = await Promise.all([
      outcomeOf(readFolder(this.#ui, subject, this.#at, signal)),
      this.#moments ?? outcomeOf(readMoments(this.#ui, subject, signal)),
      this.#readVersioning(signal),
    ]).catch(() => []);
    // `outcomeOf` rejects only after an abort. A later read then replaces this read.
    if (this.#reading !== reading || !folder || !moments) return;
    this.#folder = folder;
    this.#moments = moments;
    this.#keepsVersions = keepsVersions ?? true;
    const isCounted = moments.value?.isComplete === true;
    if (!isCounted) this.#sums = undefined;
    this.#onRead(folder.value?.rows ?? [], cursorAt);
    this.#ui.changes.soon();
    if (isCounted) await this.#count(subject, reading);
  }

  /** Loads the totals of all entries. If this fails, requests each visible subfolder separately. */
  async #count(subject: Subject, reading: AbortController): Promise<void> {
    const sums = readSums(this.#ui, subject, this.#at ?? NOW, reading.signal);
    const { value } = await outcomeOf(sums).catch(() => ({ value: undefined }));
    if (this.#reading !== reading) return;
    this.#sums = value;
    this.#ui.changes.soon();
  }

  /**
   * Returns whether the job's bucket keeps old versions. Returns true if the service does not report the versioning
   * state.
   */
  async #readVersioning(signal: AbortSignal): Promise<boolean> {
    const { bucket, target } = this.job;
    const answer = await outcomeOf(this.#ui.call('versioning.get', { bucket, target }, { signal }));
    return answer.value === undefined || answer.value.versioning !== undefined;
  }
}

/** Which folder is shown, at which time, and what is known of it. */

import type { Ui } from '../../ui/ui.ts';
import { Lookups } from '../../data/lookups.ts';
import { outcomeOf } from '../../data/outcome.ts';
import type { Outcome } from '../../data/outcome.ts';
import { changedSince, readFolder, readMoments } from './folder-data.ts';
import type { Folder, FolderRow, Standing } from './folder-data.ts';
import type { Subject } from './subject.ts';
import { isNow } from './time-travel.ts';
import type { At, Moments } from './time-travel.ts';

/** Told when a folder was read; `cursorAt` is what the cursor is to be on. */
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

  /** What the user must know of what is shown. */
  get said(): string | undefined {
    const problem = this.#folder?.problem ?? this.#moments?.problem;
    if (problem !== undefined) return problem;
    if (!this.#keepsVersions)
      return 'the bucket keeps no versions: only what is in it now can be brought back';
    if (this.#folder?.value?.isCut) return 'there is more in it: only the first entries are shown';
    return undefined;
  }

  count(standing: Standing): number {
    const rows = this.#folder?.value?.rows ?? [];
    return rows.filter((row) => this.standing(row) === standing).length;
  }

  readonly standing = (row: FolderRow): Standing => {
    if (row.is !== 'unknown') return row.is;
    if (this.#at === undefined) return 'same';
    const since = this.#since.of(row)?.value;
    return since === undefined ? 'unknown' : since ? 'changed' : 'same';
  };

  /** All anew. */
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

  /** By so many of the folder's changes. */
  step(go: (known: Moments, at: At) => At | 'now', count: number): void {
    const known = this.moments;
    if (!known) return this.#ui.warn('the times are being read');
    let at = this.#at;
    for (let step = 0; step < count; step += 1) {
      const next = go(known, at);
      if (next === undefined) {
        this.#ui.warn(
          known.isComplete
            ? 'there was nothing before'
            : 'earlier times are not known: type one (t)',
        );
        break;
      }
      at = next === 'now' || isNow(known, next) ? undefined : next;
    }
    this.goTo(at);
  }

  /** Of folders that were there then and are now, whether anything in them changed: only of those that are seen. */
  lookBelow(seen: readonly FolderRow[]): void {
    if (this.#at !== undefined) this.#since.want(seen.filter(({ is }) => is === 'unknown'));
  }

  async #read(cursorAt?: string): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const { signal } = reading;
    const subject = { job: this.job, path: this.#path };
    const [folder, moments, keepsVersions] = await Promise.all([
      outcomeOf(readFolder(this.#ui, subject, this.#at, signal)),
      this.#moments ?? outcomeOf(readMoments(this.#ui, subject, signal)),
      this.#readVersioning(signal),
    ]).catch(() => []);
    // Only an abort rejects: another reading has taken its place.
    if (this.#reading !== reading || !folder || !moments) return;
    this.#folder = folder;
    this.#moments = moments;
    this.#keepsVersions = keepsVersions ?? true;
    this.#onRead(folder.value?.rows ?? [], cursorAt);
    this.#ui.changes.soon();
  }

  /** Where that cannot be told, nothing is said. */
  async #readVersioning(signal: AbortSignal): Promise<boolean> {
    const { bucket, target } = this.job;
    const answer = await outcomeOf(this.#ui.call('versioning.get', { bucket, target }, { signal }));
    return answer.value === undefined || answer.value.versioning !== undefined;
  }
}

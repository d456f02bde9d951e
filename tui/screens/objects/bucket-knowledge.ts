/** Loads details that a bucket's listing does not contain: versioning, locks, legal holds and conflicts. */

import { isAbort } from '../../../src/base/errors.ts';
import { isControlError } from '../../../src/control/control-error.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { Ui } from '../../ui/ui.ts';
import { RowFacts } from '../../data/row-facts.ts';
import type { LockFacts, ObjectFacts } from '../../data/row-facts.ts';
import { NO_OBJECT_LOCK } from '../../data/object-lock.ts';
import { asked, isLocal } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import { periodText } from '../../text/locks.ts';
import type { RowKnowledge } from './columns.ts';
import { FolderSums } from './folder-sums.ts';
import type { Sums } from './folder-sums.ts';
import { idOf, isStored, nameOf } from './object-rows.ts';
import type { ObjectRow, StoredRow } from './object-rows.ts';

/** The maximum number of conflicts that are loaded per job. The conflicts screen lists all of them. */
const MOST_CONFLICTS = 1_000;

export class BucketKnowledge implements RowKnowledge {
  readonly #ui: Ui;
  readonly #place: BucketPlace;
  readonly #facts: RowFacts<StoredRow>;
  #bucket: Result<'buckets.describe'> | undefined;
  #conflicts: ReadonlySet<string> = new Set();
  #asking: AbortController | undefined;

  readonly #folders: FolderSums;

  /** `prefix` returns the visible prefix. `counted` is called after the sizes of the prefixes below it were loaded. */
  constructor(ui: Ui, place: BucketPlace, prefix: () => string, counted: () => void) {
    this.#folders = new FolderSums(ui, place, prefix, counted);
    this.#ui = ui;
    this.#place = place;
    this.#facts = new RowFacts<StoredRow>(ui, { place, id: idOf, ref: ({ key }) => ({ key }) });
  }

  /** The bucket's configuration. Undefined until the daemon has responded. */
  get bucket(): Result<'buckets.describe'> | undefined {
    return this.#bucket;
  }

  get hasVersions(): boolean {
    return this.#bucket?.versioning !== undefined;
  }

  get canLock(): boolean {
    return this.#bucket?.objectLock !== undefined;
  }

  get whyNoVersions(): string | undefined {
    if (!this.#bucket) return undefined;
    return this.hasVersions ? undefined : 'the bucket keeps no versions';
  }

  get whyNoLock(): string | undefined {
    if (!this.#bucket) return undefined;
    return this.#bucket.objectLock ? undefined : NO_OBJECT_LOCK;
  }

  /** Returns the bucket's configuration as text: `versioned  lock:GOVERNANCE 30d`. */
  get note(): string {
    if (!this.#bucket) return '';
    const { versioning, objectLock } = this.#bucket;
    const words: string[] = versioning === undefined ? [] : [VERSIONING[versioning]];
    const retention = objectLock?.defaultRetention;
    if (retention) words.push(`lock:${retention.mode} ${periodText(retention)}`);
    else if (objectLock) words.push('lock');
    return words.join('  ');
  }

  readonly sumsOf = (prefix: string): Sums | undefined => this.#folders.of(prefix);

  /** Loads the folder sizes after the user has opened another folder. */
  readFolders(): void {
    this.#folders.start();
  }

  /** Loads the bucket's details. Another call updates them. */
  read(): void {
    this.#folders.start();
    this.#asking?.abort();
    this.#asking = new AbortController();
    this.#facts.expire();
    void this.#read(this.#asking.signal);
  }

  stop(): void {
    this.#folders.stop();
    this.#asking?.abort();
    this.#facts.stop();
  }

  factsOf(row: ObjectRow): ObjectFacts | undefined {
    return row.kind === 'object' ? this.#facts.of(row) : undefined;
  }

  locksOf(row: ObjectRow): LockFacts | undefined {
    return row.kind === 'object' ? this.#facts.locksOf(row) : undefined;
  }

  isInConflict(row: ObjectRow): boolean {
    return isStored(row) && this.#conflicts.has(nameOf(row));
  }

  now(): number {
    return this.#ui.clock.now();
  }

  /**
   * Loads details for the visible rows. Without versioning and Object Lock, the listing already contains all details,
   * so nothing is requested.
   */
  want(inView: readonly StoredRow[], current: ObjectRow | undefined): void {
    const hasMore = isLocal(this.#place) ? this.hasVersions : this.canLock;
    const rows = hasMore ? inView.filter(({ kind }) => kind === 'object') : [];
    this.#facts.want(rows, current?.kind === 'object' ? current : undefined);
  }

  /** Marks the loaded details as stale after locks, tags or versions have changed. */
  expire(): void {
    this.#facts.expire();
  }

  askAnew(key: string): Promise<ObjectFacts> {
    return this.#ui.call('objects.describe', { ...asked(this.#place), key });
  }

  /** Loads the versioning state again, because it determines whether a deletion is permanent. */
  async askVersioning(): Promise<'Enabled' | 'Suspended' | 'off' | 'unknown'> {
    try {
      const { versioning } = await this.#ui.call('versioning.get', asked(this.#place));
      return versioning ?? 'off';
    } catch (error) {
      // A user who may delete objects in another user's bucket may lack the permission to read its versioning state.
      if (isControlError(error, 'Storage')) return 'unknown';
      throw error;
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const ui = this.#ui;
    try {
      this.#bucket = await ui.call('buckets.describe', asked(this.#place), { signal });
      ui.changes.soon();
      this.#conflicts = await conflictsIn(ui, this.#place, signal);
    } catch (error) {
      if (!isAbort(error) && ui.link.isUp) ui.notifyError(error);
    }
    ui.changes.soon();
  }
}

const VERSIONING = { Enabled: 'versioned', Suspended: 'versioning suspended' } as const;

/** Returns the keys for which a job reports a conflict. */
async function conflictsIn(
  ui: Ui,
  place: BucketPlace,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const { name, target, bucket, prefix, counts } of ui.status.jobs) {
    if (target !== place.target || bucket !== place.bucket || counts.conflicts === 0) continue;
    const params = { job: name, limit: MOST_CONFLICTS, all: false };
    const { conflicts } = await ui.call('conflicts.list', params, { signal });
    for (const { path } of conflicts) keys.add(prefix + path);
  }
  return keys;
}

/**
 * Maintains the list of damaged blobs. Adds damaged blobs, whose reading is then refused. Removes a blob from the list
 * after its file was restored.
 */

import type { Database, Statement } from 'better-sqlite3';

import { errorMessage, isAbort } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { DamagedObject, DamageMonitor } from '../../object-store/damage.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { RunCommand } from '../writes/writer.ts';
import type { DamagedVersion } from '../integrity/problems.ts';
import { healFromEqual } from './heal-from-equal.ts';
import { askDamagedBelow, askVersionsOf } from './upkeep-thread.ts';
import { damageOf, type Pace, STORED_BLOB_COLUMNS, type StoredBlob } from './verify-blob.ts';

/** A blob that is known to be damaged. */
export interface Damage {
  readonly blobId: number;
  readonly reason: string;
  /** When the damage was found, in milliseconds since 1970 UTC. */
  readonly foundAt: number;
  /** Some of the versions that used the blob when the damage was found, and that still exist. */
  readonly versions: readonly DamagedVersion[];
}

interface QuarantineOptions {
  readonly metadata: string;
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly run: RunCommand;
  readonly logger: Logger;
}

type DamageRow = Omit<Damage, 'versions'> & { readonly versions: string };

/** The maximum number of damaged blobs in a report. */
export const MAX_LISTED_DAMAGE = 16;

/**
 * The maximum number of damaged blobs whose versions are listed. Each listing scans all versions, and a failed disk can
 * damage many blobs.
 */
const MAX_NAMED_BLOBS = 8;
const MAX_LOGGED_BLOBS = 100;

const DAMAGED = 'check store: bytes are damaged; reading them is refused';

const COLUMNS = 'blob_id AS blobId, reason, found_at AS foundAt, versions';

export class Quarantine implements DamageMonitor {
  readonly #options: QuarantineOptions;
  readonly #list: Statement<[number], DamageRow>;
  readonly #count: Statement<[], number>;
  readonly #ids: Statement<[], number>;
  readonly #find: Statement<[number], DamageRow>;
  readonly #blob: Statement<[number], StoredBlob>;
  readonly #siblings: Statement<[number], number>;
  readonly #versionExists: Statement<[string, string, string], number>;
  readonly #inspections = new Map<number, Promise<unknown>>();
  readonly #listeners = new Set<() => void>();
  #lastSize: number;

  constructor(options: QuarantineOptions) {
    const { database } = options;
    this.#options = options;
    this.#list = database.prepare(
      `SELECT ${COLUMNS} FROM quarantine ORDER BY found_at, blob_id LIMIT ?`,
    );
    this.#count = database.prepare<[], number>('SELECT count(*) FROM quarantine').pluck();
    this.#ids = database.prepare<[], number>('SELECT blob_id FROM quarantine').pluck();
    this.#find = database.prepare(`SELECT ${COLUMNS} FROM quarantine WHERE blob_id = ?`);
    this.#blob = database.prepare(`SELECT ${STORED_BLOB_COLUMNS} FROM blob WHERE blob_id = ?`);
    this.#siblings = database
      .prepare<[number], number>(
        `SELECT DISTINCT blob_id FROM manifest_part
         WHERE manifest_id IN (SELECT manifest_id FROM manifest_part WHERE blob_id = ?)`,
      )
      .pluck();
    this.#versionExists = database
      .prepare<[string, string, string], number>(
        `SELECT 1 FROM version WHERE bucket_id = (SELECT bucket_id FROM bucket WHERE name = ?)
           AND key = ? AND version_id = ?`,
      )
      .pluck();
    this.#lastSize = this.size;
  }

  /**
   * Notifies the listeners if the number of damaged blobs has changed. Must be called after each commit: a put can
   * replace damaged bytes with equal ones, and a delete can remove them.
   */
  afterCommit(): void {
    if (this.#lastSize > 0 && this.size !== this.#lastSize) this.#changed();
  }

  get size(): number {
    return this.#count.get() ?? 0;
  }

  blobIds(): ReadonlySet<number> {
    return new Set(this.#ids.all());
  }

  list(limit: number): readonly Damage[] {
    return this.#list.all(limit).map((row) => this.#damage(row));
  }

  #damage(row: DamageRow): Damage {
    const versions = (JSON.parse(row.versions) as DamagedVersion[]).filter(
      ({ bucket, key, versionId }) => this.#versionExists.get(bucket, key, versionId),
    );
    return { ...row, versions };
  }

  async damagedObjects(place: {
    readonly bucket: string;
    readonly prefix: string;
  }): Promise<readonly DamagedObject[]> {
    await this.settled();
    return this.size === 0 ? [] : askDamagedBelow(this.#options.metadata, place);
  }

  onDamageChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    this.#lastSize = this.size;
    for (const listener of this.#listeners) listener();
  }

  /** Starts the inspection of a blob in which a reader found damaged bytes. Returns at once. */
  reportDamage(blobId: number): void {
    if (this.#inspections.has(blobId) || this.#find.get(blobId)) return;
    const inspection = this.inspect(blobId, async () => undefined)
      .catch((error: unknown) => this.#complain(blobId, error))
      .finally(() => this.#inspections.delete(blobId));
    this.#inspections.set(blobId, inspection);
  }

  /**
   * Waits until no inspection is in progress. Later commits are ignored, because the database may be closed before
   * their notification.
   */
  async close(): Promise<void> {
    await this.settled();
    this.#lastSize = 0;
    this.#listeners.clear();
  }

  /** Resolves when no inspection is in progress. */
  async settled(): Promise<void> {
    await Promise.all(this.#inspections.values());
  }

  /** Reads all quarantined blobs again, and heals damaged versions for which an intact equal version exists. */
  async inspectAgain(pace: Pace): Promise<void> {
    for (const blobId of this.#ids.all()) await this.inspect(blobId, pace);
    try {
      await this.heal(pace);
    } catch (error) {
      if (isAbort(error)) throw error;
      const fields = { reason: errorMessage(error) };
      this.#options.logger.error(
        fields,
        'repair store: cannot search for other copies of damaged bytes',
      );
    }
  }

  /**
   * Replaces the bytes of damaged versions with the bytes of equal versions, which a client may have stored before the
   * damage was found.
   */
  async heal(pace: Pace): Promise<void> {
    if (this.size === 0) return;
    const inspect = (blobId: number) => this.inspect(blobId, pace);
    const healed = await healFromEqual({ ...this.#options, inspect });
    if (healed > 0)
      this.#options.logger.info(
        { healed },
        'repair store: replaced damaged bytes with intact copies',
      );
  }

  /**
   * Reads the blob and updates the list of damaged blobs. Returns the damage; undefined if the blob is intact or was
   * deleted during the inspection.
   */
  async inspect(blobId: number, pace: Pace): Promise<string | undefined> {
    const blob = this.#blob.get(blobId);
    if (!blob) return undefined;
    const reason = await damageOf(blob, this.#options.blobs, pace);
    // Read the rows again: while the bytes were read, the row may have been deleted, or a put may have replaced the
    // bytes.
    const known = this.#find.get(blobId);
    const now = this.#blob.get(blobId);
    if (reason === undefined && known) await this.#release(blobId);
    if (reason === undefined || !now || now.file !== blob.file) return undefined;
    if (known?.reason === reason) return reason;
    await this.#put(blob, reason);
    if (!known) await this.#inspectSiblings(blobId, pace);
    this.#changed();
    return reason;
  }

  async #put({ blobId, file }: StoredBlob, reason: string): Promise<void> {
    const { metadata, run, logger } = this.#options;
    const known = this.size;
    const versions = known < MAX_NAMED_BLOBS ? await askVersionsOf(metadata, blobId) : [];
    if (known < MAX_LOGGED_BLOBS) logger.error({ blobId, reason, versions }, DAMAGED);
    else if (known === MAX_LOGGED_BLOBS)
      logger.error({ known }, `${DAMAGED}; further damaged blobs are not logged`);
    await run('quarantine', { blobId, file, reason, versions: JSON.stringify(versions) });
  }

  /**
   * Inspects the other blobs of a multipart object. Uploading the object again heals only blobs that are known to be
   * damaged. So all damaged blobs must be found before a job is notified of the first damage and uploads the object
   * again.
   */
  async #inspectSiblings(blobId: number, pace: Pace): Promise<void> {
    if (this.size > MAX_NAMED_BLOBS) return;
    for (const sibling of this.#siblings.all(blobId)) {
      const blob = this.#blob.get(sibling);
      if (!blob || this.#find.get(sibling)) continue;
      const reason = await damageOf(blob, this.#options.blobs, pace);
      if (reason !== undefined) await this.#put(blob, reason);
    }
  }

  async #release(blobId: number): Promise<void> {
    this.#options.logger.info({ blobId }, 'check store: damaged bytes are intact again');
    await this.#options.run('endQuarantine', { blobId });
    this.#changed();
  }

  #complain(blobId: number, error: unknown): void {
    const fields = { blobId, reason: errorMessage(error) };
    this.#options.logger.error(fields, 'check store: cannot record damage');
  }
}

/**
 * Stores which versions of the job's objects are damaged. A record is removed when the version is intact again or no
 * longer exists.
 */

import {
  parseRecord,
  type RecordRow,
  type Records,
  type RecordsTable,
  type StoredRecord,
} from './records.ts';

/**
 * State of a damaged version.
 * - `found`: it was not compared with the folder yet.
 * - `sent`: the local file is intact and is being uploaded again.
 * - `lost`: the local file has different content.
 * - `earlier`: neither the version nor its content is current.
 * - `exhausted`: the file was uploaded again as often as allowed.
 * - `replaced`: the version is not current, and a later version has the same content.
 */
export type DamageState = 'found' | 'sent' | 'lost' | 'earlier' | 'exhausted' | 'replaced';

export interface DamagedVersion {
  readonly key: string;
  /** Version id; empty in a bucket without versioning. */
  readonly versionId: string;
  /** SHA-256 of the originally stored content, in lower-case hex; absent if unknown. */
  readonly sha256?: string;
  /** Explanation of the damage for the user. */
  readonly reason: string;
  /** When the version was last read, or when the store reported the damage, in milliseconds since 1970. */
  readonly checkedAt: number;
  /** Whether the store reported the damage. If so, the damage ends when the store no longer reports it. */
  readonly isOfStore: boolean;
  /** How often the file was uploaded again because of this damage. */
  readonly sends: number;
  readonly state: DamageState;
}

type Damage = Omit<DamagedVersion, 'key' | 'versionId'>;
type VersionName = Pick<DamagedVersion, 'key' | 'versionId'>;

export interface DamageCounts {
  readonly problems: number;
  readonly replaced: number;
  readonly sent: number;
}

const NO_DAMAGE: DamageCounts = { problems: 0, replaced: 0, sent: 0 };

export class DamagedVersions {
  readonly #records: Records<Damage>;
  /** Number of damaged versions for each key. A job without damage therefore needs no query. */
  readonly #keys = new Map<string, number>();
  readonly #problems;
  readonly #counts;
  #onSettled: () => void = () => undefined;

  constructor(records: RecordsTable) {
    this.#records = records.of('damaged_version');
    for (const { key } of this.#records.all()) this.#keys.set(key, this.#countOf(key) + 1);
    const all = "FROM records WHERE kind = 'damaged_version'";
    this.#problems = records.db.prepare<[number], RecordRow>(
      `SELECT key, part, value ${all} AND value ->> 'state' <> 'replaced' ORDER BY key, part LIMIT ?`,
    );
    this.#counts = records.db.prepare<[], DamageCounts>(
      `SELECT total(value ->> 'state' <> 'replaced') AS problems,
         total(value ->> 'state' = 'replaced') AS replaced, total(value ->> 'state' = 'sent') AS sent ${all}`,
    );
  }

  /** Sets a listener that is called after the baseline row of a key with a damaged version was written. */
  set onSettled(listener: () => void) {
    this.#onSettled = listener;
  }

  get isEmpty(): boolean {
    return this.#keys.size === 0;
  }

  settled(keys: Iterable<string>): void {
    if (this.isEmpty) return;
    for (const key of keys) if (this.#keys.has(key)) return this.#onSettled();
  }

  find(key: string, versionId: string | undefined): DamagedVersion | undefined {
    if (!this.#keys.has(key)) return undefined;
    const part = nameOf(versionId);
    const damage = this.#records.get({ key, part });
    return damage && { key, versionId: part, ...damage };
  }

  /** Returns whether a version is damaged. A damaged version must not be the source of a copy. */
  has(key: string, versionId: string | undefined): boolean {
    return this.find(key, versionId) !== undefined;
  }

  put({ key, versionId, ...damage }: DamagedVersion): void {
    if (!this.has(key, versionId)) this.#keys.set(key, this.#countOf(key) + 1);
    this.#records.put({ key, part: versionId }, damage);
  }

  drop({ key, versionId }: VersionName): void {
    if (!this.#records.drop({ key, part: versionId })) return;
    const left = this.#countOf(key) - 1;
    if (left > 0) this.#keys.set(key, left);
    else this.#keys.delete(key);
  }

  /** Returns all damaged versions, in byte order of their keys. */
  all(): readonly DamagedVersion[] {
    return this.#records.all().map(damagedVersion);
  }

  /** Yields up to `limit` damaged versions that are a problem for the user, in byte order of their keys. */
  *problems(limit = -1): Generator<DamagedVersion> {
    if (this.isEmpty) return;
    for (const row of this.#problems.all(limit)) yield damagedVersion(parseRecord<Damage>(row));
  }

  counts(): DamageCounts {
    return (this.isEmpty ? undefined : this.#counts.get()) ?? NO_DAMAGE;
  }

  #countOf(key: string): number {
    return this.#keys.get(key) ?? 0;
  }
}

/** Returns the version id, or '' if there is none. Buckets without versioning have the id `null` or no id. */
export function nameOf(versionId: string | undefined): string {
  return versionId === undefined || versionId === 'null' ? '' : versionId;
}

function damagedVersion({ key, part, value }: StoredRecord<Damage>): DamagedVersion {
  return { key, versionId: part, ...value };
}

/**
 * Checks whether each local file has a current version with its bytes, and the lock that the job's settings require.
 * Uses the files, the bucket and the list of damaged versions, but not the rest of the job's state.
 */

import { defined } from '../base/defined.ts';
import { DAY_MS } from '../base/durations.ts';
import { errorMessage } from '../base/errors.ts';
import { type FileInFlight, FilesInFlight } from '../base/files-in-flight.ts';
import { TICK, withTicks } from '../base/ticks.ts';
import type { ObjectInfo } from '../object-store/object-store.ts';
import { isDamagedWhereStored, isStorageError } from '../object-store/storage-error.ts';
import { decodeAttributes, keyOf, keyProblem } from '../mirror/objects/object-metadata.ts';
import { folderNeedsObject } from '../mirror/local/local-entry.ts';
import { type FileReading, readFileStable } from '../mirror/local/read-file.ts';
import { scanTree } from '../mirror/local/scan.ts';
import type { LockSettings } from '../mirror/objects/lock-rules.ts';
import { renewalTime } from '../retention/renewal-time.ts';
import { askAhead } from '../base/ask-ahead.ts';
import { nameOf } from '../mirror/state/damaged-versions.ts';
import type { LocalEntry, Problem } from '../mirror/model/types.ts';
import type { FoundVersion } from './damage.ts';
import { damageProblem } from '../mirror/state/damage-problems.ts';
import { readAgain } from './reread.ts';
import { unlockedElsewhere } from './verify-locks.ts';
import type { VerifyFinding, VerifyOptions } from './finding.ts';

export interface VerifyCounts {
  /** The number of checked files, links and folders, without those that changed during the verification. */
  readonly entries: number;
  /** The total size of the checked entries in bytes. */
  readonly bytes: number;
  readonly findings: number;
  /** The number of entries that were written to during the verification, so that their upload is pending. */
  readonly changedMeanwhile: number;
  readonly readBack: number;
  readonly readBackBytes: number;
  /** The number of entries that the job's settings require to be locked. */
  readonly toBeLocked: number;
}

/**
 * The progress of the verification. Bytes that are read back are counted in addition to the bytes that are read from
 * the folder.
 */
export interface VerifyAmounts {
  readonly files: number;
  readonly bytes: number;
  readonly totalFiles: number;
  readonly totalBytes: number;
  readonly current?: FileInFlight;
}

/** A row of the verification's output. The last row is `done`. */
export type VerifyRow =
  | VerifyFinding
  | (VerifyCounts & { readonly is: 'progress'; readonly amounts: VerifyAmounts })
  | (VerifyCounts & { readonly is: 'done' });

const REQUESTS_AT_ONCE = 16;
const PROGRESS_EVERY_MS = 1_000;
/** How late a renewal may be before its lock is reported as too short. */
const RENEWAL_SLACK_MS = DAY_MS;

/** Compares the folder with the bucket. Rejects with the store's errors, a system error, or the signal's reason. */
export async function* verifyFolder(options: VerifyOptions): AsyncGenerator<VerifyRow, void> {
  const { clock } = options;
  const startedAt = clock.now();
  const tally = new Tally();
  const checker = new Checker(options, startedAt, tally);
  const answers = askAhead(entriesOf(options), REQUESTS_AT_ONCE, (item) =>
    'kind' in item ? checker.judge(item) : Promise.resolve(findingOf(item)),
  );
  for await (const answer of withTicks(answers, { clock, everyMs: PROGRESS_EVERY_MS })) {
    if (answer === TICK) yield { is: 'progress', ...tally.counts(), amounts: checker.amounts() };
    if (answer === undefined || answer === TICK) continue;
    tally.findings++;
    yield answer;
  }
  for await (const finding of checker.knownElsewhere()) {
    tally.findings++;
    yield finding;
  }
  yield { is: 'done', ...tally.counts() };
}

/** Yields local entries that must have an object, and problems of entries that cannot have a key. */
async function* entriesOf(options: VerifyOptions): AsyncGenerator<LocalEntry | Problem, void> {
  const { root, excluder, destination, signal } = options;
  const folders = new Map<string, LocalEntry>();
  for await (const scan of scanTree(root, '', excluder, defined({ signal }))) {
    // Sockets, pipes and devices are never backed up, so their problems are omitted.
    yield* scan.problems.filter(({ code }) => code !== 'unsupported-type');
    const own = folders.get(scan.directory);
    folders.delete(scan.directory);
    if (own && folderNeedsObject(own, scan.entries.length)) yield own;
    for (const entry of scan.entries) {
      if (entry.kind === 'directory') folders.set(entry.path, entry);
      else yield keyProblem(entry, destination.prefix) ?? entry;
    }
  }
}

class Tally {
  entries = 0;
  files = 0;
  bytes = 0;
  /** The number of bytes read from the folder, including the bytes of files that have not been checked yet. */
  readBytes = 0;
  findings = 0;
  changedMeanwhile = 0;
  readBack = 0;
  readBackBytes = 0;
  toBeLocked = 0;

  counts(): VerifyCounts {
    const { entries, bytes, findings, changedMeanwhile, readBack, readBackBytes } = this;
    const { toBeLocked } = this;
    return { entries, bytes, findings, changedMeanwhile, readBack, readBackBytes, toBeLocked };
  }
}

class Checker {
  readonly #options: VerifyOptions;
  readonly #startedAt: number;
  readonly #tally: Tally;
  readonly #reported = new Set<string>();
  /** The keys whose current version was already reported as not locked. */
  readonly #notLocked = new Set<string>();
  readonly #inFlight = new FilesInFlight();
  #budgetBytes: number;

  constructor(options: VerifyOptions, startedAt: number, tally: Tally) {
    this.#options = options;
    this.#startedAt = startedAt;
    this.#tally = tally;
    this.#budgetBytes = options.readBackBytes ?? 0;
  }

  amounts(): VerifyAmounts {
    const { totals, readBackBytes = 0 } = this.#options;
    const { files, readBytes, readBackBytes: back } = this.#tally;
    const totalBytes = totals.bytes + Math.min(totals.bytes, readBackBytes);
    const current = this.#inFlight.largest();
    const amounts = { files, bytes: readBytes + back, totalFiles: totals.files, totalBytes };
    return { ...amounts, ...defined({ current }) };
  }

  /** Reads a file. While it is read, the progress shows it as the current file. */
  async #read(entry: LocalEntry): Promise<FileReading> {
    const { root, clock, signal } = this.#options;
    const file = this.#inFlight.begin(entry.path, entry.sizeBytes);
    const onBytes = (count: number) => {
      file.bytes += count;
      this.#tally.readBytes += count;
    };
    try {
      return await readFileStable(root, entry, { clock, onBytes, ...defined({ signal }) });
    } finally {
      this.#inFlight.end(file);
      if (entry.kind === 'file') {
        this.#tally.files++;
        // Reading a small file reports no chunks, so its bytes are counted here.
        this.#tally.readBytes += Math.max(0, entry.sizeBytes - file.bytes);
      }
    }
  }

  /**
   * Checks one local entry. Returns an error of a damaged store as a finding, because other objects may be readable.
   */
  async judge(entry: LocalEntry): Promise<VerifyFinding | undefined> {
    try {
      return await this.#check(entry);
    } catch (error) {
      if (!isDamagedWhereStored(error)) throw error;
      return finding(entry, 'damaged', errorMessage(error));
    }
  }

  async #check(entry: LocalEntry): Promise<VerifyFinding | undefined> {
    if (entry.ctimeMs >= this.#startedAt) return this.#changed();
    const reading = await this.#read(entry);
    if (reading.status === 'gone' || reading.status === 'busy') return this.#changed();
    this.#tally.entries++;
    if (reading.status === 'unreadable') return findingOf(reading.problem);
    this.#tally.bytes += entry.sizeBytes;
    const info = await this.#head(entry);
    if (!info) return finding(entry, 'missing', 'the bucket has no object for the file');
    const problem =
      this.#knownDamage(entry, info) ??
      difference(entry, reading.sha256, info) ??
      this.#lockProblem(entry, info);
    return problem ?? this.#readBack(entry, reading.sha256, info);
  }

  #knownDamage(entry: LocalEntry, { versionId }: ObjectInfo): VerifyFinding | undefined {
    const known = this.#options.damaged.find(keyOf(entry, ''), versionId);
    return known && this.#damaged(damageProblem(known), known);
  }

  #damaged(
    { path, message }: Pick<Problem, 'path' | 'message'>,
    { key, versionId }: FoundVersion,
  ): VerifyFinding {
    this.#reported.add(`${key}\0${nameOf(versionId)}`);
    const named = defined({ versionId: versionId || undefined });
    return { is: 'finding', path, code: 'damaged', message, ...named };
  }

  /** Yields known damaged and unlocked versions that are not current, or whose file no longer exists in the folder. */
  async *knownElsewhere(): AsyncGenerator<VerifyFinding, void> {
    for (const known of this.#options.damaged.problems())
      if (!this.#reported.has(`${known.key}\0${known.versionId}`))
        yield this.#damaged(damageProblem(known), known);
    yield* unlockedElsewhere(this.#options, (key) => this.#notLocked.has(key));
  }

  #changed(): undefined {
    this.#tally.changedMeanwhile++;
  }

  async #head(entry: LocalEntry): Promise<ObjectInfo | undefined> {
    const { destination, signal } = this.#options;
    const { store, bucket, prefix } = destination;
    try {
      const head = await store.headObject(
        { bucket, key: keyOf(entry, prefix) },
        defined({ signal }),
      );
      return head.info;
    } catch (error) {
      if (isStorageError(error, 'NoSuchKey')) return undefined;
      throw error;
    }
  }

  #lockProblem(entry: LocalEntry, { retention }: ObjectInfo): VerifyFinding | undefined {
    const { settingsOf, lockClock, onNotLocked } = this.#options;
    const key = keyOf(entry, '');
    const settings = settingsOf(key);
    if (settings) this.#tally.toBeLocked++;
    const reason = settings && whyNotLocked(key, settings, retention, lockClock.now());
    if (reason === undefined) return undefined;
    this.#notLocked.add(key);
    onNotLocked(key);
    return finding(entry, 'not-locked', reason);
  }

  async #readBack(
    entry: LocalEntry,
    sha256: string,
    { versionId, etag, sizeBytes, metadata }: ObjectInfo,
  ): Promise<VerifyFinding | undefined> {
    if (entry.kind !== 'file' || sizeBytes > this.#budgetBytes)
      return decodeAttributes(metadata).sha256 === undefined
        ? finding(
            entry,
            'unproven',
            'its object has no SHA-256 in its metadata, and was not read back',
          )
        : undefined;
    this.#budgetBytes -= sizeBytes;
    const { destination, signal } = this.#options;
    const version = { key: keyOf(entry, ''), sha256, ...defined({ versionId }) };
    const file = this.#inFlight.begin(entry.path, sizeBytes);
    const onBytes = (count: number) => {
      file.bytes += count;
      this.#tally.readBackBytes += count;
    };
    const reading = readAgain(destination, { ...version, etag }, { signal, onBytes });
    const found = await reading.finally(() => this.#inFlight.end(file));
    if (found.is === 'unread') return this.#changed();
    if (found.is === 'sound') {
      this.#tally.readBack++;
      this.#options.onSound(sizeBytes);
      return undefined;
    }
    this.#options.onDamaged(version, found.reason);
    return this.#damaged(
      { path: entry.path, message: `its object was read back: ${found.reason}` },
      version,
    );
  }
}

function difference(
  entry: LocalEntry,
  sha256: string,
  { metadata, sizeBytes }: ObjectInfo,
): VerifyFinding | undefined {
  const stored = decodeAttributes(metadata);
  if (stored.sha256 !== undefined && stored.sha256 !== sha256)
    return finding(entry, 'differs', 'its object was stored with a different SHA-256');
  if (entry.kind !== 'directory' && sizeBytes !== entry.sizeBytes)
    return finding(
      entry,
      'differs',
      `its object has ${sizeBytes} bytes, but the file has ${entry.sizeBytes}`,
    );
  return undefined;
}

function whyNotLocked(
  key: string,
  settings: LockSettings,
  retention: ObjectInfo['retention'],
  now: number,
): string | undefined {
  const { mode, days } = settings;
  if (!retention || retention.retainUntil <= now) return 'its object is not locked';
  if (mode === 'COMPLIANCE' && retention.mode === 'GOVERNANCE')
    return 'its object is locked in GOVERNANCE mode, which any user with the bypass permission can override';
  const dueAt = retention.retainUntil - days * DAY_MS;
  const renewedBy = Math.max(dueAt, renewalTime(key, retention.retainUntil, settings));
  if (now < renewedBy + RENEWAL_SLACK_MS) return undefined;
  const left = Math.floor((retention.retainUntil - now) / DAY_MS);
  return `its object is locked for ${left} more days, but the job requires ${days}`;
}

function finding(
  { path }: LocalEntry,
  code: VerifyFinding['code'],
  message: string,
): VerifyFinding {
  return { is: 'finding', path, code, message };
}

function findingOf({ path, code, message }: Problem): VerifyFinding {
  return { is: 'finding', path, code, message };
}

/**
 * Tracks damaged versions that the store reports or that the job finds. If the local file is intact, the job uploads it
 * again as a new version and reads that version back. All other damage remains a problem of the job.
 */

import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { DAY_MS } from '../base/durations.ts';
import { errorMessage } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { DamagedObject, DamageMonitor } from '../object-store/damage.ts';
import { isOwnObject } from '../mirror/objects/own-objects.ts';
import type { Excluder } from '../mirror/local/exclude.ts';
import { pathOfKey } from '../mirror/model/local-path.ts';
import { RETRY } from '../mirror/model/retry-policy.ts';
import { NO_SHA256, withoutContent } from '../mirror/state/baseline-table.ts';
import { type DamagedVersion, nameOf } from '../mirror/state/damaged-versions.ts';
import type { StateFile } from '../mirror/state/state-file.ts';
import { type Destination, readHead, readVersion } from '../mirror/objects/destination.ts';
import { PROBLEMS_SHOWN } from '../mirror/state/problem-report.ts';
import type { Tracker } from '../mirror/model/tracker.ts';
import type { BaselineEntry, MirrorJob, Problem } from '../mirror/model/types.ts';
import { damageProblems } from '../mirror/state/damage-problems.ts';
import { type IntactOptions, isIntact } from './intact.ts';
import { type Finding, readAgain } from './reread.ts';

export interface JobDamageOptions {
  readonly job: Pick<MirrorJob, 'name' | 'root'>;
  readonly destination: Destination;
  readonly state: StateFile;
  readonly excluder: Excluder;
  readonly tracker: Tracker;
  /** Reports damaged versions. Absent for a service that does not report damage, so that only reads can find it. */
  readonly damage?: DamageMonitor;
  /** Requests a scan of a path in the job's folder. */
  readonly hint: (path: string) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface FoundVersion {
  readonly key: string;
  readonly versionId?: string | undefined;
  /** The SHA-256 of the stored content. */
  readonly sha256?: string | undefined;
}

/** How often known damaged versions are checked. */
const CHECK_EVERY_MS = 10 * 60_000;
/** The time after which a damaged version is read again, because the service may have repaired its disks. */
const READ_AGAIN_MS = DAY_MS;
/** The maximum number of files that are being uploaded again at once. A lost disk can damage many versions. */
const MAX_RESENDING = 256;

export class JobDamage {
  readonly #options: JobDamageOptions;
  readonly #closing = new AbortController();
  /** Damaged versions at this destination that do not belong to the job. */
  readonly #foreign = new Set<string>();
  #last: Promise<void> = Promise.resolve();
  #due: Promise<void> | undefined;
  #unsubscribe = (): void => undefined;
  #cancelCheck = (): void => undefined;

  constructor(options: JobDamageOptions) {
    this.#options = options;
  }

  start(): void {
    const { damage, state } = this.#options;
    const check = () => void this.check();
    state.damaged.onSettled = check;
    if (damage) this.#unsubscribe = damage.onDamageChange(check);
    check();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#unsubscribe();
    this.#cancelCheck();
    await this.#last;
  }

  /** Records damaged content that a read of the job found, unless the store already reports that version. */
  async found(version: FoundVersion, reason: string): Promise<void> {
    const { state, clock, damage } = this.#options;
    const { key, sha256 } = version;
    const versionId = nameOf(version.versionId);
    if (damage) await this.check();
    if (this.#signal.aborted) return;
    const known = state.damaged.find(key, versionId);
    if (!known || known.state === 'replaced')
      state.damaged.put({
        ...defined({ sha256 }),
        key,
        versionId,
        reason,
        checkedAt: clock.now(),
        isOfStore: false,
        sends: known?.sends ?? 0,
        state: 'found',
      });
    await this.check();
  }

  /** Reads a version (default: the current version) again after a failed read. Rejects with the store's errors. */
  async suspect({ key, versionId }: FoundVersion): Promise<void> {
    const { destination } = this.#options;
    const head = await readVersion(destination, toName(key, nameOf(versionId)), this.#signal);
    if (head === 'absent') return;
    const { etag, sha256 } = head;
    const version = { ...toName(key, nameOf(head.versionId)), ...defined({ sha256 }) };
    const finding = await readAgain(destination, { ...version, etag }, { signal: this.#signal });
    if (finding.is === 'damaged') await this.found(version, finding.reason);
  }

  /** Records that the job has read the version and found it intact. */
  sound({ key, versionId }: FoundVersion): void {
    const known = this.#options.state.damaged.find(key, versionId);
    if (known && !known.isOfStore) this.#end(known, 'it was read again and is intact');
  }

  /** Returns the damaged versions as problems of the job. Returns at most as many as the job's status shows. */
  problems(): readonly Problem[] {
    return [...damageProblems(this.#options.state, PROBLEMS_SHOWN)];
  }

  /** Checks and reads all damaged versions at the user's request, and retries repairs that were given up. */
  checkAll(): Promise<void> {
    const { damaged } = this.#options.state;
    for (const version of damaged.all())
      damaged.put({
        ...version,
        checkedAt: 0,
        ...(version.state === 'exhausted' && { state: 'found', sends: 0 }),
      });
    return this.check();
  }

  /** Compares known damage with the store and the folder, and uploads intact files again. */
  check(): Promise<void> {
    if (this.#closing.signal.aborted) return Promise.resolve();
    this.#due ??= this.#last.then(() => {
      this.#due = undefined;
      return this.#check();
    });
    this.#last = this.#due;
    return this.#due;
  }

  async #check(): Promise<void> {
    const { state, tracker } = this.#options;
    let isWhole = await this.#attempt('', () => this.#readReports());
    for (const version of state.damaged.all()) {
      if (this.#signal.aborted) return;
      isWhole = (await this.#attempt(version.key, () => this.#examine(version))) && isWhole;
    }
    tracker.changed();
    this.#cancelCheck();
    if (isWhole && state.damaged.isEmpty) return;
    const waitMs = isWhole ? CHECK_EVERY_MS : RETRY.damageCheck.firstMs;
    this.#cancelCheck = this.#options.clock.after(waitMs, () => void this.check());
  }

  /** Returns whether `work` succeeded. A failure is logged, and the version is checked again later. */
  async #attempt(key: string, work: () => Promise<void>): Promise<boolean> {
    const { job, logger } = this.#options;
    try {
      await work();
      return true;
    } catch (error) {
      if (this.#signal.aborted) return false;
      const fields = { job: job.name, key, error: errorMessage(error) };
      logger.warn(fields, 'check damaged versions: failed, retrying later');
      return false;
    }
  }

  async #readReports(): Promise<void> {
    const { damage, destination, state } = this.#options;
    if (!damage) return;
    const { bucket, prefix } = destination;
    const reported = new Map<string, DamagedObject>();
    for (const each of await damage.damagedObjects({ bucket, prefix }))
      reported.set(`${each.key.slice(prefix.length)}\0${nameOf(each.versionId)}`, each);
    for (const known of state.damaged.all()) {
      const name = `${known.key}\0${known.versionId}`;
      if (known.isOfStore && !reported.has(name))
        this.#end(known, 'the store reports it as intact or removed');
    }
    for (const [name, { reason }] of reported)
      if (!this.#foreign.has(name)) await this.#recordReport(name, reason);
  }

  async #recordReport(name: string, reason: string): Promise<void> {
    const { state, destination, clock } = this.#options;
    const [key = '', versionId = ''] = name.split('\0');
    const known = state.damaged.find(key, versionId);
    if (known?.isOfStore) return;
    const entry = state.baseline.get(key);
    const isCurrent = entry && nameOf(entry.versionId) === versionId;
    const isKnown = isCurrent && entry.sha256 !== NO_SHA256;
    const found = toName(key, versionId);
    const stated = isKnown ? entry : await readVersion(destination, found, this.#signal);
    if (stated === 'absent') return;
    const isOurs = 'journalId' in stated && stated.journalId !== undefined;
    if (!isCurrent && !isOurs && !isOwnObject(key)) return void this.#foreign.add(name);
    const { sha256 } = stated;
    state.damaged.put({
      ...defined({ sha256 }),
      key,
      versionId,
      reason,
      checkedAt: clock.now(),
      isOfStore: true,
      sends: known?.sends ?? 0,
      state: known?.state ?? 'found',
    });
  }

  get #intactOptions(): IntactOptions {
    const { job, excluder, clock } = this.#options;
    return { root: job.root, excluder, clock, signal: this.#signal };
  }

  get #signal(): AbortSignal {
    return this.#closing.signal;
  }

  async #examine(version: DamagedVersion): Promise<void> {
    const entry = this.#options.state.baseline.get(version.key);
    const isCurrent = entry !== undefined && nameOf(entry.versionId) === version.versionId;
    if (entry?.sha256 === NO_SHA256)
      return isCurrent ? this.#set(version, { state: 'sent' }) : undefined;
    if (version.state === 'sent' && entry) return this.#checkResent(version, entry, isCurrent);
    if (!version.isOfStore && (await this.#isOver(version))) return;
    const isRepairable = version.isOfStore && version.state !== 'replaced';
    const hasContent = isCurrent || (isRepairable && entry?.sha256 === version.sha256);
    if (entry && hasContent) return this.#repair(version, entry, isCurrent);
    const isReplaced = entry !== undefined && (await this.#isCurrentContent(version, entry));
    this.#set(version, { state: isReplaced ? 'replaced' : 'earlier' });
  }

  /** Returns whether the damage is gone. If the version was last read more than a day ago, reads it again. */
  async #isOver(version: DamagedVersion): Promise<boolean> {
    const { destination, clock } = this.#options;
    const now = clock.now();
    if (Math.abs(now - version.checkedAt) < READ_AGAIN_MS) return false;
    const { key, versionId, sha256 } = version;
    const expected = { ...toName(key, versionId), ...defined({ sha256 }) };
    const finding = await readAgain(destination, expected, { signal: this.#signal });
    this.#set(version, { checkedAt: now });
    if (finding.is === 'damaged') return false;
    this.#end(version, 'it was read again and is intact, or it no longer exists');
    return true;
  }

  /** Uploads an intact local file again. The embedded store then repairs all versions with the same bytes. */
  async #repair(version: DamagedVersion, entry: BaselineEntry, isCurrent: boolean): Promise<void> {
    const { state, tracker, clock, hint } = this.#options;
    const { key, sends } = version;
    if (sends >= RETRY.damagedVersion.attempts) return this.#set(version, { state: 'exhausted' });
    if (tracker.underWay(key)) return this.#checkSoon();
    if (!(await this.#isStillCurrent(key, entry))) return this.#set(version, { state: 'earlier' });
    if (!(await isIntact(key, entry, this.#intactOptions)))
      return this.#set(version, { state: isCurrent ? 'lost' : 'earlier' });
    // The file may have been uploaded again in the meantime.
    if (state.baseline.get(key)?.etag !== entry.etag || tracker.underWay(key))
      return this.#checkSoon();
    if (state.damaged.counts().sent >= MAX_RESENDING) return;
    // If the daemon crashes between the next two writes, it later reads the version again and then uploads the file.
    state.damaged.put({ ...version, sends: sends + 1, state: 'sent', checkedAt: clock.now() });
    state.settle([{ key, baseline: withoutContent(entry) }]);
    hint(entry.path);
  }

  async #checkResent(
    version: DamagedVersion,
    entry: BaselineEntry,
    isCurrent: boolean,
  ): Promise<void> {
    const { state, clock } = this.#options;
    const { key, sends } = version;
    const { sha256, etag } = entry;
    const finding = await this.#readCurrent(key, entry);
    if (finding.is === 'unread') return;
    if (finding.is === 'damaged') {
      const { reason } = finding;
      const versionId = nameOf(entry.versionId);
      const isOfStore = isCurrent && version.isOfStore;
      const read = { key, versionId, sha256, reason, checkedAt: clock.now(), isOfStore, sends };
      state.damaged.put({ ...read, state: 'found' });
      if (!isCurrent) this.#set(version, { state: 'found' });
      return this.#checkSoon();
    }
    if (isCurrent && !version.isOfStore)
      return this.#end(version, `it was uploaded again and read back (ETag ${etag})`);
    // A new upload does not repair a stored version that is encrypted or whose hash is lost.
    const isTried = !version.isOfStore || (!isCurrent && sends > 0);
    const isReplaced = isTried && sha256 === version.sha256;
    this.#set(version, { state: isReplaced ? 'replaced' : 'found' });
    if (isReplaced)
      this.#say(version, 'repaired: it was uploaded again as a new version and read back');
    else this.#checkSoon();
  }

  async #isCurrentContent(version: DamagedVersion, entry: BaselineEntry): Promise<boolean> {
    if (version.state === 'replaced') return true;
    if (version.isOfStore || entry.sha256 !== version.sha256) return false;
    if (this.#options.state.damaged.has(version.key, entry.versionId)) return true;
    return (await this.#readCurrent(version.key, entry)).is === 'sound';
  }

  #readCurrent(key: string, { versionId, etag, sha256 }: BaselineEntry): Promise<Finding> {
    const expected = { ...toName(key, nameOf(versionId)), etag, sha256 };
    return readAgain(this.#options.destination, expected, { signal: this.#signal });
  }

  /** Returns whether the baseline's version is still current. Uploading over another client's version is a conflict. */
  async #isStillCurrent(key: string, { etag, versionId }: BaselineEntry): Promise<boolean> {
    const head = await readHead(this.#options.destination, key, this.#signal);
    return head !== 'absent' && head.etag === etag && nameOf(head.versionId) === nameOf(versionId);
  }

  #checkSoon(): void {
    this.#options.clock.after(RETRY.damagedVersion.firstMs, () => void this.check());
  }

  #set(version: DamagedVersion, changes: Partial<DamagedVersion>): void {
    const { damaged } = this.#options.state;
    const known = damaged.find(version.key, version.versionId);
    if (known) damaged.put({ ...known, ...changes });
  }

  #end(version: DamagedVersion, how: string): void {
    this.#options.state.damaged.drop(version);
    if (version.state !== 'replaced') this.#say(version, `no longer damaged: ${how}`);
  }

  #say({ key }: DamagedVersion, message: string): void {
    this.#options.tracker.say({ level: 'info', action: 'repair', path: pathOfKey(key), message });
  }
}

function toName(key: string, versionId: string) {
  return { key, ...(versionId !== '' && { versionId }) };
}

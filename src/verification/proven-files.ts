/**
 * Records which files restore tests have proven, and how far the tests of large files are. Stored in the job's state as
 * one record.
 */

import { defined } from '../base/defined.ts';
import type { Totals } from '../mirror/state/baseline-table.ts';
import type { StateFile } from '../mirror/state/state.ts';
import type { BaselineEntry } from '../mirror/model/types.ts';
import { shareBefore } from './proof-record.ts';

interface ProvenFile {
  /** The version that was tested: another version has proven nothing yet. */
  readonly version: string;
  /** The first byte that the current cycle still has to test; 0 if no cycle has begun. */
  readonly nextByte: number;
  /** When the current cycle tested the first byte, and when it last tested any. */
  readonly since: number;
  readonly at: number;
  /** All bytes were tested since then. */
  readonly provenSince?: number;
  /** Why the last test failed; absent if it passed. */
  readonly failure?: string;
}

interface ProvenRecord {
  /** The last large file that the cycle tested to its end, or that could not be tested. */
  readonly after: string;
  /** Total size of the large files at the last test. */
  readonly largeBytes: number;
  readonly files: Readonly<Record<string, ProvenFile>>;
}

export interface ProvenShare {
  /** The shares, from 0 to 1, of files and of their bytes that restore tests proved within `days`. */
  readonly files: number;
  readonly bytes: number;
  readonly days: number;
}

/** Name of a row in the state's `meta` table. */
const PROVEN = 'proven-files';

export class ProvenFiles {
  readonly #state: StateFile;
  readonly #files: Map<string, ProvenFile>;
  after: string;
  largeBytes: number;

  constructor(state: StateFile) {
    this.#state = state;
    const text = state.meta(PROVEN);
    const record: ProvenRecord =
      text === undefined
        ? { after: '', largeBytes: 0, files: {} }
        : (JSON.parse(text) as ProvenRecord);
    this.#files = new Map(Object.entries(record.files));
    this.after = record.after;
    this.largeBytes = record.largeBytes;
  }

  /** Returns the first byte of the entry that the current cycle has not tested. */
  nextByte(entry: BaselineEntry): number {
    return this.#known(entry)?.nextByte ?? 0;
  }

  /** Records that the bytes from `nextByte` up to `endExclusive` are as they were stored. */
  passed(entry: BaselineEntry, endExclusive: number, now: number): void {
    const known = this.#known(entry);
    const since = known && known.nextByte > 0 ? known.since : now;
    const isWhole = endExclusive >= entry.sizeBytes;
    this.#files.set(entry.path, {
      version: versionOf(entry),
      nextByte: isWhole ? 0 : endExclusive,
      since,
      at: now,
      ...defined({ provenSince: isWhole ? since : known?.provenSince }),
    });
  }

  /** Nothing of the entry counts as proven. The next test continues with the bytes that failed. */
  failed(entry: BaselineEntry, failure: string, now: number): void {
    const { nextByte, since } = this.#known(entry) ?? { nextByte: 0, since: now };
    this.#files.set(entry.path, { version: versionOf(entry), nextByte, since, at: now, failure });
  }

  /** The entry cannot be tested now. Drops an earlier failure, since no later test could end it. */
  untested({ path }: BaselineEntry): void {
    if (this.#files.get(path)?.failure !== undefined) this.#files.delete(path);
  }

  /** Returns files whose last test failed and whose version is still the same. */
  failures(): readonly { readonly path: string; readonly reason: string }[] {
    return [...this.#files].flatMap(([path, { failure, version }]) =>
      failure !== undefined && this.#versionAt(path) === version ? [{ path, reason: failure }] : [],
    );
  }

  /** For the share of bytes, the current cycle of a large file counts at an even pace. */
  share(totals: Totals, days: number, span: { readonly since: number }): ProvenShare {
    let [files, bytes] = [0, 0];
    for (const [path, known] of this.#files) {
      const entry = this.#state.baseline.get(path);
      if (entry?.kind !== 'file' || versionOf(entry) !== known.version) continue;
      if (known.failure !== undefined) continue;
      if (known.provenSince !== undefined && known.provenSince >= span.since) {
        files += 1;
        bytes += entry.sizeBytes;
      } else bytes += known.nextByte * (1 - shareBefore(span.since, known.since, known.at));
    }
    const of = (part: number, all: number) => (all === 0 ? 0 : Math.min(1, part / all));
    return { files: of(files, totals.files), bytes: of(bytes, totals.bytes), days };
  }

  /** Durable when it returns. Drops records of other versions, and of tests before `since`. */
  save(since: number): void {
    for (const [path, { version, nextByte, at }] of this.#files)
      if (this.#versionAt(path) !== version || (nextByte === 0 && at < since))
        this.#files.delete(path);
    const { after, largeBytes } = this;
    const record: ProvenRecord = { after, largeBytes, files: Object.fromEntries(this.#files) };
    this.#state.setMeta(PROVEN, JSON.stringify(record));
  }

  #known(entry: BaselineEntry): ProvenFile | undefined {
    const known = this.#files.get(entry.path);
    return known?.version === versionOf(entry) ? known : undefined;
  }

  #versionAt(path: string): string | undefined {
    const entry = this.#state.baseline.get(path);
    return entry && versionOf(entry);
  }
}

function versionOf({ versionId, etag }: BaselineEntry): string {
  return versionId === undefined ? etag : `${versionId} ${etag}`;
}

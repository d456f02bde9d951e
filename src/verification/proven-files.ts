/**
 * Records which files restore tests have proved, and the progress of the tests of large files. The record is part of
 * the job's state.
 */

import { defined } from '../base/defined.ts';
import type { Totals } from '../mirror/state/baseline-table.ts';
import type { StateFile } from '../mirror/state/state-file.ts';
import type { BaselineEntry } from '../mirror/model/types.ts';
import { shareBefore } from './proof-record.ts';

interface ProvenFile {
  /** The version that was tested. The tests prove nothing about other versions. */
  readonly version: string;
  /** The first byte of the file that the current test cycle has not tested. 0 if no cycle has started. */
  readonly nextByte: number;
  /** When the current cycle tested the first byte. `at` is when it last tested any byte. */
  readonly since: number;
  readonly at: number;
  /** The start of the last cycle that proved all bytes. Absent if there was none. */
  readonly provenSince?: number;
  /** The reason why the last test failed. Absent if the last test passed. */
  readonly failure?: string;
}

interface ProvenRecord {
  /** The last large file whose ranges were all tested, or that could not be tested. */
  readonly after: string;
  /** The total size in bytes of the large files at the last test. */
  readonly largeBytes: number;
  readonly files: Readonly<Record<string, ProvenFile>>;
}

export interface ProvenShare {
  /** The share of files, from 0 to 1, that restore tests proved within `days`. `bytes` is the share of their bytes. */
  readonly files: number;
  readonly bytes: number;
  readonly days: number;
}

/** The name of the `meta` record in the job's state that contains the proven files. */
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

  /** Returns the first byte of a file that the current cycle has not tested. */
  nextByte(entry: BaselineEntry): number {
    return this.#known(entry)?.nextByte ?? 0;
  }

  /** Records that the bytes of a file from `nextByte` to `endExclusive` are intact. */
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

  /** Records a failed test. The file no longer counts as proven. The next test continues with the bytes that failed. */
  failed(entry: BaselineEntry, failure: string, now: number): void {
    const { nextByte, since } = this.#known(entry) ?? { nextByte: 0, since: now };
    this.#files.set(entry.path, { version: versionOf(entry), nextByte, since, at: now, failure });
  }

  /** Records that a file cannot be tested now. Removes an earlier failure, because no later test could remove it. */
  untested({ path }: BaselineEntry): void {
    if (this.#files.get(path)?.failure !== undefined) this.#files.delete(path);
  }

  /** Returns the files whose last test failed and that still have the same version. */
  failures(): readonly { readonly path: string; readonly reason: string }[] {
    return [...this.#files].flatMap(([path, { failure, version }]) =>
      failure !== undefined && this.#versionAt(path) === version ? [{ path, reason: failure }] : [],
    );
  }

  /**
   * Returns the share of files and the share of bytes that were proven. A large file in an unfinished cycle counts with
   * its tested bytes, as if the cycle ran at a constant rate.
   */
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

  /** Saves the record durably. Removes files whose version has changed, and files that were tested before `since`. */
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

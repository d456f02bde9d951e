/** A restore drill: some files are restored into a folder of the drill's own, compared with what was mirrored, and removed. */

import { hash } from 'node:crypto';
import { createReadStream, mkdirSync, readlinkSync, rmSync } from 'node:fs';

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { errorMessage } from '../../base/errors.ts';
import { silentLogger } from '../../base/logger.ts';
import { digestOf } from '../local/file-content.ts';
import { statsAt } from '../local/is-there.ts';
import { type RestoreOptions, restoreTree } from '../restore/restore.ts';
import type { StateFile } from '../state/state.ts';
import type { Place } from '../target.ts';
import type { BaselineEntry } from '../types.ts';
import { damageIn } from './read-again.ts';
import type { DrillReport } from './proof-record.ts';

export interface DrillOptions {
  readonly place: Place;
  readonly state: StateFile;
  /** Made, and removed again; what a killed drill left there goes too. */
  readonly folder: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called for each version whose content is not what was stored. */
  readonly onDamaged: (entry: BaselineEntry, reason: string) => void;
}

const SAMPLE_FILES = 24;
/** What a drill may cost a week. */
const SAMPLE_BYTES = 64 * 1024 * 1024;
const FAILURES_TOLD = 20;

/** By the code that a restore is made with. Rejects as `restoreTree`, or with the signal's reason. */
export async function runDrill(options: DrillOptions): Promise<Omit<DrillReport, 'provenAt'>> {
  const { place, state, folder, clock, signal } = options;
  const sample = state.baseline.draw(SAMPLE_FILES, SAMPLE_BYTES);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    const objects = sample.map((entry) => ({
      key: place.prefix + entry.path,
      sizeBytes: entry.sizeBytes,
      ...defined({ versionId: entry.versionId }),
    }));
    const unread = new Map<string, unknown>();
    const onUnread: RestoreOptions['onUnread'] = ({ key }, error) =>
      void unread.set(key.slice(place.prefix.length), error);
    const request = { ...place, to: folder, objects, clock, signal, logger: silentLogger };
    const { bytes } = await restoreTree({ ...request, onUnread });
    const failures = [];
    for (const entry of sample) {
      const error = unread.get(entry.path);
      const reason =
        error === undefined
          ? await whyNotSame(`${folder}/${entry.path}`, entry)
          : `it cannot be read: ${errorMessage(error)}`;
      // What was mirrored anew meanwhile may have been restored as it is now.
      const isStill = state.baseline.get(entry.path)?.etag === entry.etag;
      if (reason === undefined || !isStill) continue;
      failures.push({ path: entry.path, reason });
      if (error === undefined || damageIn(error) !== undefined) options.onDamaged(entry, reason);
    }
    const told = failures.slice(0, FAILURES_TOLD);
    return { at: clock.now(), files: sample.length, bytes, failures: told };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function whyNotSame(path: string, entry: BaselineEntry): Promise<string | undefined> {
  const stats = statsAt(path);
  if (!stats) return 'it was not restored';
  const sha256 = stats.isSymbolicLink()
    ? hash('sha256', readlinkSync(path, { encoding: 'buffer' }))
    : (await digestOf(createReadStream(path))).sha256;
  return sha256 === entry.sha256 ? undefined : 'its content is not what was stored';
}

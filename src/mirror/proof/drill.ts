/** A restore drill: some files are restored into a folder of the drill's own, compared with what was mirrored, and removed. */

import { hash } from 'node:crypto';
import { createReadStream, lstatSync, mkdirSync, readlinkSync, rmSync } from 'node:fs';

import type { Clock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { errorMessage } from '../../base/errors.ts';
import { silentLogger } from '../../base/logger.ts';
import { digestOf } from '../local/file-content.ts';
import { restoreTree } from '../restore/restore.ts';
import type { StateFile } from '../state/state.ts';
import type { Place } from '../target.ts';
import type { BaselineEntry } from '../types.ts';
import type { DrillReport } from './proof-record.ts';

export interface DrillOptions {
  readonly place: Place;
  readonly state: StateFile;
  /** Made, and removed again; what a killed drill left there goes too. */
  readonly folder: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
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
    const request = { ...place, to: folder, objects, clock, signal, logger: silentLogger };
    const { bytes } = await restoreTree(request);
    const failures = [];
    for (const entry of sample) {
      const reason = await whyNotSame(`${folder}/${entry.path}`, entry);
      // What was mirrored anew meanwhile may have been restored as it is now.
      const isStill = state.baseline.get(entry.path)?.etag === entry.etag;
      if (reason !== undefined && isStill) failures.push({ path: entry.path, reason });
    }
    const told = failures.slice(0, FAILURES_TOLD);
    return { at: clock.now(), files: sample.length, bytes, failures: told };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function whyNotSame(path: string, entry: BaselineEntry): Promise<string | undefined> {
  try {
    const stats = lstatSync(path);
    const sha256 = stats.isSymbolicLink()
      ? hash('sha256', readlinkSync(path, { encoding: 'buffer' }))
      : (await digestOf(createReadStream(path))).sha256;
    return sha256 === entry.sha256 ? undefined : 'its bytes are not those mirrored';
  } catch (error) {
    return `it did not come back: ${errorMessage(error)}`;
  }
}

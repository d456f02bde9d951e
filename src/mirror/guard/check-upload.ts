/**
 * Checks each upload's content for anomalies. Content that looks encrypted is recorded, and its upload is held while
 * the alarm is on.
 */

import { defined } from '../../base/defined.ts';
import { readFacts } from '../local/content-facts.ts';
import type { ContentFacts } from '../model/file-types.ts';
import type { ReadFile } from '../local/read-file.ts';
import type { PutAction } from '../plan/action.ts';
import { expectedHead } from '../plan/holds.ts';
import type { Hold } from '../model/hold.ts';
import {
  looksEncrypted,
  type Anomaly,
  anomaliesOf,
  stemsOf,
  suffixOf,
  wasGood,
} from '../plan/anomaly-signs.ts';
import type { HeldOverwrite } from '../state/held-changes.ts';
import type { StateFile } from '../state/state-file.ts';
import type { BaselineEntry } from '../model/types.ts';
import type { Activity } from '../model/tracker.ts';
import type { AnomalyAlarm, GuardParts, GuardSession } from './anomaly-alarm.ts';

export interface UploadCheck extends Pick<GuardParts, 'state' | 'clock' | 'tracker'> {
  readonly alarm: AnomalyAlarm;
}

/** The key of a file that is uploaded for the first time, and statistics about its content. */
export type NewContent = Pick<ReadFile, 'content'> & { readonly key: string };

/** Returns an activity log entry if the upload is held, otherwise undefined. See `ChangeGuard.checkUpload`. */
export async function checkUpload(
  action: PutAction,
  reading: ReadFile,
  parts: UploadCheck,
  session: GuardSession,
): Promise<Activity | undefined> {
  const { state, clock, alarm } = parts;
  const { key, why: reason } = action;
  const after = reading.content === undefined ? undefined : readFacts(reading.content);
  if (!after) return undefined;
  // A new file has no baseline row, so no query is needed. Most files in a first round are new.
  const baseline = reason === 'new' ? undefined : state.baseline.get(key);
  if (baseline?.kind !== 'file') {
    checkNewFiles([{ key, ...reading }], parts);
    return undefined;
  }
  const before = factsOf(baseline);
  const anomalies = anomaliesOf(key, before, after);
  const hold = state.heldChanges.among([key]).get(key);
  if (anomalies.length === 0 || isApprovedPut(action, reading, hold)) return undefined;
  const { etag, versionId } = baseline;
  const why = anomalyText(anomalies, before, after);
  const good = { key, etag, ...defined({ versionId }) };
  state.anomalies.note({ ...good, at: clock.now(), kind: 'overwritten', why });
  // Without versioning, an overwrite loses the old content, so a single file is enough to raise the alarm.
  const limit = session.policy().bucket === 'unversioned' ? 1 : undefined;
  // After each change, a held file stays held until its content shows no anomaly.
  const wasHeld = hold?.change === 'overwrite';
  if (!(await alarm.isOn(session, limit)) && !wasHeld) return undefined;
  await alarm.lockGoodVersions([good], session);
  return holdPut(reading, { key, why, head: expectedHead(action, baseline) }, parts);
}

/** Checks files without a baseline row for anomalies (see `noteEncryptedCopy`). Never holds their uploads. */
export function checkNewFiles(
  files: readonly NewContent[],
  { state, clock }: Pick<GuardParts, 'state' | 'clock'>,
): void {
  const encrypted: string[] = [];
  const stems: string[] = [];
  for (const { key, content } of files) {
    const facts = content === undefined ? undefined : readFacts(content);
    if (!facts || !looksEncrypted(facts)) continue;
    const [, stem] = stemsOf(key);
    if (stem === undefined) continue;
    encrypted.push(key);
    stems.push(stem);
  }
  for (const number of state.baseline.numbersOfKnown(stems)) {
    const [key, stem] = [encrypted[number], stems[number]];
    if (key !== undefined && stem !== undefined)
      noteEncryptedCopy({ key, stem }, state, clock.now());
  }
}

/** Returns whether the user approved this content as the replacement for the current version. */
export function isApprovedPut(
  { approval }: PutAction,
  { sha256 }: Pick<ReadFile, 'sha256'>,
  hold: Hold | undefined,
): boolean {
  return approval !== undefined && hold?.approval === approval && hold.sha256 === sha256;
}

/**
 * Records an anomaly if a new encrypted file has a readable file's name plus a suffix, or its name with a different
 * suffix. The anomaly counts towards the alarm only after the readable file is deleted.
 */
function noteEncryptedCopy(
  { key, stem }: { readonly key: string; readonly stem: string },
  state: StateFile,
  at: number,
): void {
  const same = state.baseline.get(stem);
  const originals = same ? [same] : state.baseline.withStem(stem);
  for (const original of originals) {
    if (original.path === key || !wasGood(original.path, factsOf(original))) continue;
    const { path, etag, versionId } = original;
    const why = `an encrypted copy of the file, with the suffix ${suffixOf(key)}, exists`;
    const good = { key: path, etag, ...defined({ versionId }) };
    state.anomalies.note({ ...good, at, kind: 'beside', other: key, why });
  }
}

function holdPut(
  { entry, sha256 }: ReadFile,
  held: Pick<HeldOverwrite, 'key' | 'why' | 'head'>,
  { state, tracker }: UploadCheck,
): Activity {
  const { key, why } = held;
  state.heldChanges.holdOverwrite({ ...held, entry, sha256 });
  tracker.setHeld(key, false);
  const message = `held for review, because the new content looks encrypted: ${why}`;
  return { level: 'warn', action: 'held', path: entry.path, message };
}

function factsOf({ content }: BaselineEntry): ContentFacts | undefined {
  return content === undefined ? undefined : readFacts(content);
}

function anomalyText(
  anomalies: readonly Anomaly[],
  before: ContentFacts | undefined,
  after: ContentFacts,
): string {
  const bits = ({ entropy }: ContentFacts) => (entropy / 100).toFixed(1);
  const rise = before
    ? `: its entropy rose from ${bits(before)} to ${bits(after)} bits per byte`
    : ', which is unusual for its file name extension';
  const type =
    before?.type === undefined ? 'files with its extension' : `files of type ${before.type}`;
  const reasons: Readonly<Record<Anomaly, string>> = {
    entropy: `its content became random bytes${rise}`,
    encoded: `its content became text that encodes random bytes${rise}`,
    header: `it no longer begins like ${type}`,
    ending: `it no longer ends like ${type}`,
  };
  return anomalies.map((anomaly) => reasons[anomaly]).join('; ');
}

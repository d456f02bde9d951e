/** The details of a job, except its queue: destination, progress, locks, verification and run conditions. */

import { paintedBar } from '../../widgets/charts.ts';
import { onlyInBucketText, standingText } from '../../../src/control/job-standing.ts';
import { protectionText } from '../../../src/control/protection.ts';
import type { JobStatus } from '../../../src/control/shapes.ts';
import { knownText } from '../../data/last-seen.ts';
import type { Ui } from '../../ui/ui.ts';
import { facts } from '../../widgets/facts.ts';
import { dayText, minuteText, shortDurationText } from '../../../src/text/time.ts';
import {
  bytesText,
  countText,
  numberText,
  shareText,
  rateText,
} from '../../../src/text/amounts.ts';
import { shortPath } from '../../text/home-path.ts';
import type { Look, Tone } from '../../theme/look.ts';
import { placeText, protectionTone, stateTone, wasText } from './job-text.ts';
import { firstScanText, progressBar, progressWords } from './columns.ts';

export type Fact = readonly [name: string, value: string];

/** Returns names and values for the details of a job. They are safe to draw and may contain colours. */
export function jobFacts(job: JobStatus, ui: Ui, look: Look): readonly Fact[] {
  return [
    ...routeFacts(job, ui, look),
    ...progressFacts(job, ui, look),
    ...attentionFacts(job, look),
    ...proofFacts(job, look),
    ...lockFacts(job, look),
    ...keepFacts(job),
    ...mannerFacts(job),
    ...serviceFacts(job, look),
  ];
}

export function jobFactLines(job: JobStatus, ui: Ui, width: number): readonly string[] {
  return facts(jobFacts(job, ui, ui.look), ui.look, width);
}

function routeFacts(job: JobStatus, ui: Ui, look: Look): Fact[] {
  const at = job.target === 'local' ? [] : [['service', look.name(job.targetUrl)] as const];
  const reason = job.reason === undefined ? [] : [['reason', look.name(job.reason)] as const];
  const standing = standingText(job, countText);
  const protection = knownText(protectionText(job.protection), ui);
  const state = standing === job.state ? standing : `${job.state}, ${standing}`;
  return [
    ['state', look.paint(stateTone(job), knownText(state, ui))],
    ...reason,
    ['protection', look.paint(protectionTone(job), look.name(protection))],
    ['folder', look.name(shortPath(job.folder, ui.outside.userHome))],
    ['bucket', look.name(placeText(job))],
    ...at,
  ];
}

function progressFacts(job: JobStatus, ui: Ui, look: Look): Fact[] {
  const { counts, lagMs, lastRound, lastRoundAt, comparedAt, watch } = job;
  const progress = ui.transfers.progressOf(job);
  const done = [
    paintedBar(progressBar(job, progress, look), stateTone(job), look),
    ...progressWords(job, progress),
  ];
  const left = progress
    ? `${countText(progress.remainingFiles, 'change')}, ${bytesText(progress.remainingBytes)}`
    : undefined;
  return [
    ['mirrored', `${countText(counts.files, 'file')}, ${bytesText(counts.bytes)}`],
    ['progress', firstScanText(job, ui) ?? done.join('  ')],
    ...(left === undefined ? [] : [['pending', left] as const]),
    ['lag', lagMs === 0 ? 'none' : shortDurationText(lagMs)],
    ['watch', look.name(wasText(watch, ui))],
    ...(lastRoundAt === undefined
      ? []
      : [['last round', look.name(`${minuteText(lastRoundAt)} ${lastRound ?? ''}`)] as const]),
    ...(comparedAt === undefined
      ? []
      : [['compared', `${minuteText(comparedAt)} the whole bucket`] as const]),
    [
      'since start',
      `${countText(counts.uploadedVersions, 'version')}, ${bytesText(counts.uploadedBytes)}, ${countText(counts.deleted, 'delete')}`,
    ],
  ];
}

function attentionFacts(job: JobStatus, look: Look): Fact[] {
  const { counts, brake, warnings } = job;
  const only = onlyInBucketText([job], countText);
  const rows: readonly (readonly [string, number, Tone])[] = [
    ['problems', counts.problems, 'bad'],
    ['held', counts.held, 'attention'],
    ['conflicts', counts.conflicts, 'attention'],
    ['drifted', counts.drifted, 'attention'],
    ['rejected', brake?.rejectedOverwrites ?? 0, 'attention'],
  ];
  return [
    ...rows
      .filter(([, count]) => count > 0)
      .map(([name, count, tone]) => [name, look.paint(tone, numberText(count))] as const),
    ...(only === undefined ? [] : [['not deleted', look.paint('attention', only)] as const]),
    ...warnings.map((warning) => ['note', look.name(warning)] as const),
  ];
}

function testedFact({
  files,
  bytes,
  days,
}: NonNullable<NonNullable<JobStatus['proof']>['proven']>): Fact {
  const within = countText(days, 'day');
  if (files === 0 && bytes === 0) return ['tested', `nothing yet, ${within}`];
  const [ofFiles, ofBytes] = [files, bytes].map(shareText);
  return ['tested', `${ofFiles} of files, ${ofBytes} of bytes, ${within}`];
}

function proofFacts({ proof }: JobStatus, look: Look): Fact[] {
  if (!proof || proof.daysPerPass === undefined) return [];
  const { lastProvenRestorableAt, drillFailures, damaged, verifiedShare } = proof;
  const proven =
    lastProvenRestorableAt === undefined
      ? look.paint('attention', 'not tested yet: press d')
      : minuteText(lastProvenRestorableAt);
  // A verification compares checksums, unless the user asks it to read content back.
  const readAgain = verifiedShare === 0 ? 'nothing yet' : shareText(verifiedShare);
  const wrong: Fact[] = [
    ['restore test', drillFailures === 0 ? '' : `${countText(drillFailures, 'file')} failed`],
    ['damaged', damaged === 0 ? '' : countText(damaged, 'object')],
  ];
  return [
    ['restorable', proven],
    ...(proof.proven ? [testedFact(proof.proven)] : []),
    ['read again', `${readAgain}, all in ${countText(proof.daysPerPass, 'day')}`],
    ...wrong
      .filter(([, value]) => value !== '')
      .map(([name, value]) => [name, look.paint('bad', value)] as const),
  ];
}

function lockFacts({ locks }: JobStatus, look: Look): Fact[] {
  if (!locks) return [];
  const { locked, bytes, earliestUntil, renewalsDue, failing, retained, reason } = locks;
  const first = earliestUntil === undefined ? '' : `, first ends ${dayText(earliestUntil)}`;
  return [
    ['locked', `${countText(locked, 'current version')}, ${bytesText(bytes)}${first}`],
    ...(locks.unlocked > 0 ? [['not locked', numberText(locks.unlocked)] as const] : []),
    ...(renewalsDue > 0 ? [['renewals', `${numberText(renewalsDue)} due`] as const] : []),
    ...(failing > 0 ? [['failing', look.paint('bad', numberText(failing))] as const] : []),
    ...(retained > 0 ? [['waiting', countText(retained, 'delete')] as const] : []),
    ...(reason === undefined ? [] : [['renewal', look.name(reason)] as const]),
  ];
}

function keepFacts({ keep }: JobStatus): Fact[] {
  if (!keep) return [];
  const { versions, bytes, at } = keep;
  return [
    ['pruned', `${minuteText(at)}: ${countText(versions, 'version')} removed, ${bytesText(bytes)}`],
  ];
}

function mannerFacts({ manners = {} }: JobStatus): Fact[] {
  const { bytesPerSecond, nextRunAt } = manners;
  return [
    ...(bytesPerSecond === undefined ? [] : [['limit', rateText(bytesPerSecond)] as const]),
    ...(nextRunAt === undefined ? [] : [['next run', minuteText(nextRunAt)] as const]),
  ];
}

const GUARDED_BY = {
  conditions: 'by conditions',
  proof: 'by a read before and a list of versions after',
  unguarded: 'by a read before only',
} as const;

function serviceFacts({ capabilities }: JobStatus, look: Look): Fact[] {
  if (!capabilities) return [];
  return [
    ['versions', look.name(capabilities.bucket)],
    ['guarded', GUARDED_BY[capabilities.guarding]],
  ];
}

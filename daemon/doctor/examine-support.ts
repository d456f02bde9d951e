/**
 * Tests what a service supports in a bucket, for `holdfast target test`, and reports what a job cannot guarantee there.
 * The test writes a few small objects below the reserved folder of the prefix, and removes them.
 */

import { createHash } from 'node:crypto';

import type { Clock } from '../../src/base/clock.ts';
import { defined } from '../../src/base/defined.ts';
import { type Finding, good } from '../../src/base/finding.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { RENEWAL_FIX } from '../../src/base/renewal-fix.ts';
import {
  type Capabilities,
  guardingOf,
  shortcomings,
  type WriteGuarding,
} from '../../src/mirror/capabilities/capabilities.ts';
import type { ProbeContext } from '../../src/mirror/capabilities/clear-probe.ts';
import { beginProbe } from '../../src/mirror/capabilities/probe.ts';
import { failureKind } from '../../src/mirror/model/failure-kind.ts';
import { noPermissionText } from '../../src/mirror/objects/lock-permission.ts';
import type { BucketKind } from '../../src/mirror/model/types.ts';
import { bytesBody } from '../../src/object-store/body.ts';
import type { RequestedChecksum } from '../../src/object-store/checksum.ts';
import type { Retention } from '../../src/object-store/object-store.ts';
import type { MirrorStore } from '../../src/object-store/mirror-store.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import { readBucketLocks } from '../../src/retention/bucket-locks.ts';
import type { BucketPlace } from '../services/rooms.ts';
import { mayExtendGovernance } from './examine-governance.ts';

/** What the service supports at one destination. Properties that were not tested are absent. */
export interface Support extends BucketPlace {
  readonly versions: boolean;
  readonly objectLock: boolean;
  readonly conditionalWrites?: WriteGuarding;
  /** Whether the service stores a checksum and rejects an upload with a wrong checksum. */
  readonly checksums?: boolean;
  /** Whether multipart uploads and copies get the locks that they request. */
  readonly locksOfUploads?: boolean;
  readonly locksOfCopies?: boolean;
  /** Whether the access key may extend a GOVERNANCE lock, as a job with such locks requires. */
  readonly governanceExtension?: boolean;
  /** Whether a version keeps its date when its lock or its tags change. */
  readonly versionDates?: boolean;
}

interface Examined {
  readonly store: MirrorStore;
  readonly place: BucketPlace;
  /** Whether a job uses this destination. If so, `examineBucket` reports the kind of its bucket. */
  readonly isOfJob: boolean;
  readonly lockMode?: Retention['mode'];
  /** The name of the target, for the commands that fix a finding. */
  readonly target: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface ExaminedSupport {
  readonly findings: readonly Finding[];
  /** The test results. Absent if the bucket does not exist or rejects the test. */
  readonly support?: Support;
}

/**
 * Runs the test. Rejects with TransportError, or with the signal's reason. If it rejects, test objects may remain in
 * the bucket.
 */
export async function examineSupport(examined: Examined): Promise<ExaminedSupport> {
  const { place, target, isOfJob } = examined;
  const check = `support of ${place.bucket}/${place.prefix}`;
  try {
    const { kind, isRetaining, tested } = await testPlace(examined);
    return {
      support: supportOf(place, kind, tested),
      findings: [
        ...(isOfJob ? [] : kindFindings(kind, { check, target, bucket: place.bucket })),
        ...(isRetaining ? [retaining(check)] : []),
        ...(tested ? testFindings(check, kind, tested) : []),
        ...(tested?.governanceExtension === false ? [extensionFinding(check, examined)] : []),
      ],
    };
  } catch (error) {
    if (!isStorageError(error)) throw error;
    if (error.code !== 'NoSuchBucket')
      return {
        findings: [
          {
            check,
            severity: 'failed',
            message: `cannot use bucket ${place.bucket}: ${error.message}`,
          },
        ],
      };
    if (isOfJob) return { findings: [] };
    const message = 'the bucket does not exist, so it was not tested; its first job creates it';
    return { findings: [{ check, severity: 'note', message }] };
  }
}

function extensionFinding(check: string, { lockMode }: Examined): Finding {
  const message = `the key may not extend GOVERNANCE locks, so a job cannot renew them: ${RENEWAL_FIX}`;
  return { check, severity: lockMode === 'GOVERNANCE' ? 'attention' : 'note', message };
}

interface Tested {
  readonly answers: Capabilities;
  readonly checksums: boolean;
  readonly governanceExtension?: boolean;
  /** The number of test objects and versions that could not be removed. */
  readonly remaining: number;
}

interface TestedPlace {
  readonly kind: BucketKind;
  readonly isRetaining: boolean;
  /** The test results. Absent if the bucket has a default retention, because the test objects could not be removed. */
  readonly tested?: Tested;
}

async function testPlace({ store, place, clock, signal }: Examined): Promise<TestedPlace> {
  const { bucket, prefix } = place;
  const destination = { store, bucket, prefix };
  const { kind, defaultRetention } = await readBucketLocks(destination, signal);
  if (defaultRetention) return { kind, isRetaining: true };
  const context = { destination, bucket: kind, clock, logger: silentLogger, signal };
  const begun = await beginProbe(context);
  let checksums = false;
  let governanceExtension: boolean | undefined;
  let dates: Pick<Capabilities, 'versionDates'> = {};
  try {
    checksums = await keepsChecksums(`${begun.folder}checksum`, context);
    if (kind === 'object-lock')
      governanceExtension = await mayExtendGovernance(`${begun.folder}lock`, context);
  } finally {
    dates = await begun.finish(signal);
  }
  const remaining = await countBelow(begun.folder, context);
  const answers = { ...begun.answers, ...dates };
  const tested = { answers, checksums, remaining, ...defined({ governanceExtension }) };
  return { kind, isRetaining: false, tested };
}

const BODY = 'checksum test of Holdfast, safe to delete\n';

async function keepsChecksums(key: string, context: ProbeContext): Promise<boolean> {
  const { destination, signal } = context;
  const { store, bucket } = destination;
  const put = (checksum: RequestedChecksum) =>
    isTaken(() =>
      store.putObject({ bucket, key, body: { ...bytesBody(BODY), checksum } }, { signal }),
    );
  if (await put(sha256Of('other bytes'))) return false;
  const right = sha256Of(BODY);
  if (!(await put(right))) return false;
  const { info } = await store.headObject({ bucket, key, withChecksum: true }, { signal });
  return info.checksum?.value === right.value;
}

function sha256Of(text: string): RequestedChecksum {
  return { algorithm: 'SHA256', value: createHash('sha256').update(text).digest('base64') };
}

async function isTaken(put: () => Promise<unknown>): Promise<boolean> {
  try {
    await put();
    return true;
  } catch (error) {
    if (isStorageError(error) && failureKind(error) !== 'transient') return false;
    throw error;
  }
}

async function countBelow(prefix: string, context: ProbeContext): Promise<number> {
  const { destination, bucket: kind, signal } = context;
  const { store, bucket } = destination;
  if (kind === 'unversioned')
    return (await store.listObjects({ bucket, prefix }, { signal })).objects.length;
  return (await store.listVersions({ bucket, prefix }, { signal })).versions.length;
}

function supportOf(place: BucketPlace, kind: BucketKind, tested: Tested | undefined): Support {
  const { locksOfUploads, locksOfCopies, versionDates } = tested?.answers ?? {};
  const isKept = (answer: 'changed' | 'dropped' | 'kept' | undefined) =>
    answer === undefined ? undefined : answer === 'kept';
  return {
    bucket: place.bucket,
    prefix: place.prefix,
    versions: kind !== 'unversioned',
    objectLock: kind === 'object-lock',
    ...defined({
      conditionalWrites: tested && guardingOf(tested.answers, kind),
      checksums: tested?.checksums,
      locksOfUploads: isKept(locksOfUploads),
      locksOfCopies: isKept(locksOfCopies),
      versionDates: isKept(versionDates),
      governanceExtension: tested?.governanceExtension,
    }),
  };
}

interface Place {
  readonly check: string;
  readonly target: string;
  readonly bucket: string;
}

function kindFindings(kind: BucketKind, { check, target, bucket }: Place): readonly Finding[] {
  if (kind === 'object-lock') return [good(check, 'versions and Object Lock')];
  const locked = `${bucket}-locked`;
  const noLock: Finding = {
    check,
    severity: 'note',
    message:
      'no Object Lock: a job there cannot lock its versions, and Object Lock cannot be added to a bucket later',
    fix: `holdfast s3 mb ${locked} --object-lock --target ${target}`,
  };
  if (kind === 'versioned') return [good(check, 'versions'), noLock];
  const message =
    'no versions: overwritten and deleted files cannot be restored, and no past time can be viewed';
  const fix = `holdfast s3 versioning enable ${bucket} --target ${target}`;
  return [{ check, severity: 'attention', message, fix }, noLock];
}

function retaining(check: string): Finding {
  const message =
    'conditional writes and checksums were not tested: the default retention of the bucket would keep the objects of the test';
  return { check, severity: 'note', message };
}

function testFindings(
  check: string,
  kind: BucketKind,
  { answers, checksums, remaining }: Tested,
): readonly Finding[] {
  const note = (message: string): Finding => ({ check, severity: 'note', message });
  const { locksOfUploads, locksOfCopies, versionDates } = answers;
  const dropped = [
    ...(locksOfUploads === 'dropped' ? ['multipart uploads'] : []),
    ...(locksOfCopies === 'dropped' ? ['copies'] : []),
  ];
  const isUntested = kind === 'object-lock' && (!locksOfUploads || !locksOfCopies);
  const left = `${remaining} objects of the test remain below .holdfast/probe/: the key has no permission to delete versions`;
  return [
    conditionsFinding(check, answers, kind),
    checksums
      ? good(check, 'checksums are stored, and wrong ones rejected')
      : note(
          'no checksums: a job detects damage at the service only when it reads objects again (verifyDays)',
        ),
    ...(isUntested ? [note(`locks were not tested: ${noPermissionText('set legal holds')}`)] : []),
    ...(dropped.length > 0
      ? [note(`locks of ${dropped.join(' and ')} are ignored: a job sets them a moment later`)]
      : []),
    ...(versionDates === 'changed'
      ? [note('a new lock changes the date of a version: past times rely on dates that jobs store')]
      : []),
    ...(remaining > 0 ? [{ check, severity: 'attention', message: left } as const] : []),
  ];
}

function conditionsFinding(check: string, answers: Capabilities, kind: BucketKind): Finding {
  const guarding = guardingOf(answers, kind);
  if (guarding === 'conditions') return good(check, 'conditional writes');
  const message = `no conditional writes (${shortcomings(answers).join('; ')})`;
  return guarding === 'proof'
    ? {
        check,
        severity: 'note',
        message: `${message}: a job may overwrite a simultaneous change by another client, but it records a conflict and the version is kept`,
      }
    : {
        check,
        severity: 'attention',
        message: `${message}: a simultaneous change by another client can be lost, so a job does not start there without \`unguarded: true\``,
      };
}

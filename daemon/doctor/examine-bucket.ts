/** Checks for `holdfast doctor` whether a job's bucket supports the versions and locks that the job requires. */

import { good } from '../../src/base/finding.ts';
import type { Finding } from '../../src/base/finding.ts';
import type { JobConfig } from '../../src/config/config.ts';
import { readBucketLocks } from '../../src/retention/bucket-locks.ts';
import type { ObjectStore } from '../../src/object-store/object-store.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';

export async function examineBucket(
  store: ObjectStore,
  job: JobConfig,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const check = `bucket of ${job.name}`;
  const { bucket, prefix } = job;
  try {
    const { kind, warnings } = await readBucketLocks({ store, bucket, prefix }, signal);
    const found = [
      ...lockFindings(check, job, kind),
      ...warnings.map((warning) => lifecycleFinding(check, job, warning)),
    ];
    return found.length > 0 ? found : [good(check, `${bucket}: ${kind}`)];
  } catch (error) {
    if (!isStorageError(error)) throw error;
    if (error.code === 'NoSuchBucket')
      return [
        { check, severity: 'note', message: `${bucket} does not exist yet: the job creates it` },
      ];
    return [
      { check, severity: 'failed', message: `cannot use bucket ${bucket}: ${error.message}` },
    ];
  }
}

function lockFindings(check: string, job: JobConfig, kind: string): Finding[] {
  const { name, bucket, lock, unguarded } = job;
  const another = `${bucket}-${lock === undefined ? 'versioned' : 'locked'}`;
  const fix =
    `holdfast s3 mb ${another}${lock === undefined ? '' : ' --object-lock'} --target ${job.target} && ` +
    `holdfast job edit ${name} bucket=${another}`;
  if (lock !== undefined && kind !== 'object-lock') {
    const message = `${bucket} has no Object Lock, so the job cannot lock its objects; Object Lock cannot be added to a bucket later`;
    return [{ check, severity: 'failed', message, fix }];
  }
  if (kind === 'unversioned' && !unguarded) {
    const message = `${bucket} is not versioned: objects that are overwritten or deleted there are lost`;
    return [
      {
        check,
        severity: 'attention',
        message,
        fix: `holdfast s3 versioning enable ${bucket} --target ${job.target}`,
      },
    ];
  }
  return [];
}

/**
 * Returns a warning about a lifecycle rule that expires the job's objects. Such a rule does not remove locked versions,
 * but it hides them below delete markers.
 */
function lifecycleFinding(check: string, job: JobConfig, warning: string): Finding {
  const { bucket, lock, target } = job;
  const [, rule = 'RULE'] = /^lifecycle rule (.+) of bucket /.exec(warning) ?? [];
  const locked = lock === undefined ? '' : `, and the job locks them for ${lock.days} days`;
  return {
    check,
    severity: 'attention',
    message: `${warning}${locked}`,
    fix: `holdfast s3 lifecycle remove ${bucket} '${rule}' --target ${target}`,
  };
}

/** Implements `holdfast job show`. It prints the status of one job and the capabilities of its service. */

import { ControlError } from '../../../control/control-error.ts';
import type { JobStatus } from '../../../control/shapes.ts';
import type { Context } from '../../context.ts';
import { jobLines } from '../daemon/status.ts';
import { visible } from '../../output/text.ts';
import { timeText } from '../../../text/time.ts';

type Capabilities = NonNullable<JobStatus['capabilities']>;

export async function showJob(context: Context, name: string): Promise<void> {
  const { jobs } = await context.withDaemon((daemon) => daemon.call('status', {}));
  const job = jobs.find((each) => each.name === name);
  if (!job) {
    const names = jobs.map((each) => each.name).join(', ') || 'none';
    const hint = `existing jobs: ${names}; to list them with their folders: holdfast job list`;
    throw new ControlError('NotFound', `unknown job "${name}"`, { hint });
  }
  if (context.json) return context.out.json(job);
  const { paint } = context.out;
  await context.out.prose(
    ...jobLines(job, paint),
    ...keyLines(job).map((line) => `  ${line}`),
    ...capabilityLines(job.capabilities).map((line) => `  ${line}`),
    ...job.warnings.map((warning) => `${paint('attention', '!')} ${visible(warning)}`),
  );
}

function keyLines({ customerKey }: JobStatus): string[] {
  if (customerKey === undefined) return [];
  return [`objects are encrypted with a customer key from a ${customerKey}`];
}

const GUARDED_BY = {
  conditions: 'by conditional writes',
  proof: 'by checks before and after each write',
  unguarded: 'only by a check before each write',
} as const;

export function capabilityLines(capabilities: Capabilities | undefined): string[] {
  if (!capabilities) return ['the capabilities of the service are not known yet'];
  const { bucket, guarding, askedAt, answers } = capabilities;
  const head = `${bucket} bucket; writes of other clients are detected ${GUARDED_BY[guarding]}`;
  if (askedAt === undefined) return [head];
  const writes = (['put', 'complete', 'copy'] as const).map(
    (write) =>
      `  ${write.padEnd(8)}  If-Match ${answers[write].ifMatch}, If-None-Match ${answers[write].ifNoneMatch}`,
  );
  const { locksOfUploads, locksOfCopies, versionDates } = answers;
  return [
    head,
    `probed ${timeText(askedAt)}:`,
    ...writes,
    `  delete    If-Match ${answers.delete.ifMatch}`,
    ...(locksOfUploads ? [`  locks of multipart uploads are ${locksOfUploads}`] : []),
    ...(locksOfCopies ? [`  locks of copies are ${locksOfCopies}`] : []),
    ...(versionDates
      ? [`  dates of versions are ${versionDates} when their locks, tags or ACL change`]
      : []),
  ];
}

/** Implements `holdfast s3 quota` for the quotas of buckets and projects. */

import { defined } from '../../../base/defined.ts';
import type { ControlClient } from '../../../control/client.ts';
import type { Params, Result } from '../../../control/messages.ts';
import { usageError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { parseBucket } from '../../arguments/thing.ts';
import { parseProject } from '../../arguments/storage-id.ts';
import { visible } from '../../output/text.ts';
import {
  bytesText,
  countText,
  numberText,
  readSize,
  readWholeNumber,
} from '../../../text/amounts.ts';

export interface QuotaOptions {
  readonly project?: string;
}

export interface SetQuotaOptions extends QuotaOptions {
  readonly bytes?: string;
  readonly objects?: string;
  readonly buckets?: string;
}

/**
 * Prints the quota of a bucket. Without a bucket, prints the quota of `--project` (by default, the caller's
 * project).
 */
export async function getQuota(
  context: Context,
  typed: string | undefined,
  options: QuotaOptions,
): Promise<void> {
  if (typed !== undefined && options.project !== undefined) {
    throw usageError('cannot use BUCKET with --project');
  }
  await context.withDaemon(async (daemon) => {
    if (typed === undefined) {
      return printProject(context, await daemon.call('quotas.getProject', projectOf(options)));
    }
    const bucket = parseBucket(typed);
    return printBucket(context, bucket, await daemon.call('quotas.getBucket', { bucket }));
  });
}

export function setQuota(
  context: Context,
  typed: string | undefined,
  options: SetQuotaOptions,
): Promise<void> {
  const { bytes, objects, buckets, project } = options;
  const ofBucket = bytes !== undefined || objects !== undefined;
  if (typed === undefined ? ofBucket : buckets !== undefined || project !== undefined) {
    throw usageError(
      'cannot set the quota: --bytes and --objects need BUCKET; --buckets and --project exclude it',
      'holdfast s3 quota set BUCKET --bytes 10TiB, or holdfast s3 quota set --buckets 100',
    );
  }
  if (!ofBucket && buckets === undefined) {
    throw usageError(
      'cannot set the quota: no limit is given',
      'give --bytes or --objects of a bucket, or --buckets of a project',
    );
  }
  return context.withDaemon((daemon) =>
    typed === undefined
      ? setOfProject(context, daemon, options)
      : setOfBucket(context, daemon, { ...options, bucket: parseBucket(typed) }),
  );
}

async function setOfProject(
  context: Context,
  daemon: ControlClient,
  options: SetQuotaOptions,
): Promise<void> {
  const buckets = countLimit('--buckets', options.buckets) ?? null;
  const request = { ...projectOf(options), buckets };
  await printProject(context, await daemon.call('quotas.setProject', request));
}

async function setOfBucket(
  context: Context,
  daemon: ControlClient,
  { bucket, bytes, objects }: SetQuotaOptions & { readonly bucket: string },
): Promise<void> {
  const change = defined({
    bytes: bytesLimit(bytes),
    objects: countLimit('--objects', objects),
  });
  await printBucket(context, bucket, await daemon.call('quotas.setBucket', { bucket, ...change }));
}

/**
 * Returns the limit. Returns null for `default`, which clears the limit, and undefined if the option is absent.
 */
function bytesLimit(text: string | undefined): number | null | undefined {
  return limitOf('--bytes', text, {
    read: readSize,
    hint: 'write a size such as 10TiB, or default',
  });
}

function countLimit(option: string, text: string | undefined): number | null | undefined {
  const read = (typed: string) => readWholeNumber(typed, 0, Number.MAX_SAFE_INTEGER);
  return limitOf(option, text, { read, hint: 'write a whole number, or default' });
}

/** Throws a usage error if the text is not a valid limit. */
function limitOf(
  option: string,
  text: string | undefined,
  { read, hint }: { readonly read: (text: string) => number | undefined; readonly hint: string },
): number | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'default') return null;
  const value = read(text);
  if (value !== undefined) return value;
  throw usageError(`invalid ${option} "${text}"`, hint);
}

function projectOf({ project }: QuotaOptions): Params<'quotas.getProject'> {
  return project === undefined ? {} : parseProject(project);
}

async function printBucket(
  context: Context,
  bucket: string,
  quota: Result<'quotas.getBucket'>,
): Promise<void> {
  if (context.json) return context.out.json({ bucket, ...quota });
  const { bytes, objects, set, usage } = quota;
  await context.out.lines(
    `${visible(bucket)}: ${bytesText(usage.sizeBytes)} of ${bytesText(bytes)}${mark(set.bytes !== null)}`,
    `${visible(bucket)}: ${numberText(usage.objects)} of ${countText(objects, 'object')}${mark(set.objects !== null)}`,
  );
}

async function printProject(context: Context, quota: Result<'quotas.getProject'>): Promise<void> {
  if (context.json) return context.out.json(quota);
  const { project, customer, buckets, isSet, used } = quota;
  await context.out.lines(
    `${visible(`${project}@${customer}`)}: ${numberText(used)} of ${countText(buckets, 'bucket')}${mark(isSet)}`,
  );
}

function mark(isSet: boolean): string {
  return isSet ? ', set here' : '';
}

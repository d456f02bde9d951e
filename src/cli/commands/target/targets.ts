/** Implements `holdfast target`. It manages the remote services that jobs can back up to. */

import { defined } from '../../../base/defined.ts';
import { type Protocol, targetNameSchema } from '../../../config/schema-words.ts';
import type { Result } from '../../../control/messages.ts';
import { Answers } from '../../arguments/answers.ts';
import { checkBucketName } from '../../arguments/folder.ts';
import { servicePlaceOf, type ServicePlace } from '../../arguments/service-place.ts';
import { readTargetKey } from '../../arguments/target-key.ts';
import type { Context } from '../../context.ts';
import type { CredentialOptions } from '../../arguments/remote-target.ts';
import { isAskable } from '../../output/ask.ts';
import { usageError } from '../../output/command-error.ts';
import { tableLines } from '../../output/output.ts';
import { shellWord, visible } from '../../output/text.ts';
import { callTargets } from './call-targets.ts';
import { iamPolicy, printPolicy } from './iam-policy.ts';
import { unknownTarget } from './test-target.ts';

export interface AddTargetOptions extends CredentialOptions {
  readonly protocol?: Protocol;
  readonly region?: string;
  readonly caFile?: string;
  readonly policy?: boolean;
}

type Target = Result<'targets.list'>['targets'][number];

export async function listTargets(context: Context): Promise<void> {
  const { targets } = await callTargets(context, 'targets.list', {});
  if (context.json) return context.out.json({ targets });
  if (targets.length === 0)
    return context.remark(
      'no targets: all jobs use the embedded store; to add one: holdfast target add NAME SERVICE',
    );
  const columns = ['TARGET', 'ENDPOINT', 'REGION', 'PROTOCOL', 'JOBS'].map((title) => ({ title }));
  const rows = targets.map(({ name, endpoint, region, protocol, jobs }) =>
    [name, endpoint, region, protocol ?? 'not known yet', jobs.join(', ')].map(visible),
  );
  await context.out.lines(...tableLines(columns, rows));
}

export async function addTarget(
  context: Context,
  { name, service }: { readonly name: string; readonly service: string },
  options: AddTargetOptions,
): Promise<void> {
  checkName(name);
  const place = await placeOf(context, service, options);
  if (options.policy) return printPolicy(context, place, service);
  const { endpoint, region, bucket, prefix } = place;
  const { protocol, caFile } = options;
  const file = caFile && context.path(caFile);
  const at = bucket === undefined ? {} : { bucket, prefix };
  const target = { name, endpoint, region, ...at, ...defined({ protocol, caFile: file }) };
  const key = await keyOf(context, options, `cannot add target ${name}`);
  const saved = await callTargets(context, 'targets.add', { ...target, ...key });
  if (context.json)
    return context.out.json({
      ...saved,
      endpoint,
      region,
      ...(bucket !== undefined && { bucket, prefix, policy: iamPolicy({ ...place, bucket }) }),
    });
  const { existing, warning } = saved;
  await context.out.prose(
    existing
      ? `changed the key of target ${name}`
      : `added target ${name}: ${endpoint}, region ${region} (${place.regionFrom})`,
    ...(warning === undefined ? [] : [`! ${visible(warning)}`]),
    ...nextLines({ ...saved, ...place }).map(visible),
  );
}

/** Throws a usage error if the name is invalid or reserved. */
function checkName(name: string): void {
  const problem = targetNameSchema.safeParse(name).error?.issues[0];
  if (!problem) return;
  const hint =
    'a name comes before the service: holdfast target add offsite https://storage.example.com';
  throw usageError(`invalid target name "${name}": it ${problem.message}`, hint);
}

async function placeOf(
  context: Context,
  typed: string,
  options: AddTargetOptions,
): Promise<ServicePlace> {
  const place = servicePlaceOf(typed, options, context.io.env);
  if (place.bucket !== undefined) await checkBucketName(place.bucket);
  return place;
}

/** Returns lines that show how to back up to the new target. */
function nextLines({
  name,
  bucket,
  prefix,
  bucketExists,
}: ServicePlace & Pick<Result<'targets.add'>, 'bucketExists' | 'name'>): readonly string[] {
  const place = bucket === undefined ? name : shellWord(`${name}:${bucket}/${prefix}`);
  const next = `to back up to it: holdfast up FOLDER --to ${place}`;
  if (bucket === undefined) return [next];
  const state = bucketExists ? 'exists' : 'does not exist; its first job creates it';
  return [
    ...(bucketExists === undefined ? [] : [`bucket ${bucket} ${state}`]),
    next,
    `to see the smallest IAM policy for its key: holdfast target test ${place} --policy`,
  ];
}

export async function setTargetKey(
  context: Context,
  name: string,
  options: CredentialOptions,
): Promise<void> {
  const { endpoint, region } = await targetNamed(context, name);
  const key = await keyOf(context, options, `cannot change the key of target ${name}`);
  const target = { name, endpoint, region, ...key };
  const saved = await callTargets(context, 'targets.add', target);
  if (context.json) return context.out.json(saved);
  const { warning } = saved;
  await context.out.lines(
    `changed the key of target ${visible(name)}`,
    ...(warning === undefined ? [] : [`! ${visible(warning)}`]),
  );
}

/** Reads the access key. On a terminal, asks for it if no other source provides it. */
async function keyOf(context: Context, options: CredentialOptions, verb: string) {
  const answers = isAskable(context)
    ? new Answers(context.io, { yes: false, command: verb })
    : undefined;
  try {
    return await readTargetKey(context, { options, verb, answers });
  } finally {
    answers?.close();
  }
}

/** Returns the target with this name. Throws CommandError `NotFound` if it does not exist. */
async function targetNamed(context: Context, name: string): Promise<Target> {
  const { targets } = await callTargets(context, 'targets.list', {});
  const target = targets.find((each) => each.name === name);
  if (!target) throw unknownTarget(name, targets);
  return target;
}

export async function removeTarget(context: Context, name: string): Promise<void> {
  const removed = await callTargets(context, 'targets.remove', { name });
  if (context.json) return context.out.json(removed);
  await context.out.lines(
    `removed target ${visible(name)}${removed.keyFile === undefined ? '' : `, and its key in ${visible(removed.keyFile)}`}`,
  );
}

export async function renameTarget(context: Context, old: string, name: string): Promise<void> {
  checkName(name);
  const params = { name: old, newName: name };
  const renamed = await callTargets(context, 'targets.rename', params);
  if (context.json) return context.out.json(renamed);
  const { jobs } = renamed;
  await context.out.lines(
    `renamed target ${visible(old)} to ${name}${jobs.length === 0 ? '' : `; its jobs: ${visible(jobs.join(', '))}`}`,
  );
}

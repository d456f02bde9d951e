/**
 * Implements `holdfast init`. The command asks what to back up, adds the job, starts it and follows its first backup.
 * It writes nothing before the last answer.
 */

import { basename, join } from 'node:path';

import { defined } from '../../../base/defined.ts';
import { bucketNameFor } from '../../../config/bucket-name.ts';
import { writeCredentials } from '../../../config/credentials.ts';
import { addJobWithTarget } from '../../../config/edit.ts';
import { prepareHome, storeFolder } from '../../../config/home.ts';
import type { Home } from '../../../config/home.ts';
import { loadConfig } from '../../../config/load.ts';
import { CommandError, EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { Answers, explainedText, type Item } from '../../arguments/answers.ts';
import { expandedPath, foldersBelow, shortPath } from '../../arguments/typed-path.ts';
import { checkBucketName, existingFolder } from '../../arguments/folder.ts';
import type { Installed } from '../service/install.ts';
import { visible } from '../../output/text.ts';
import type { Asking, InitOptions, Plan } from './asking.ts';
import { checkPlan } from './check-plan.ts';
import { askDestination } from './destinations.ts';
import {
  chosenPolicy,
  daysOf,
  lockEntry,
  LOCKS_EXPLAINED,
  type LockPolicy,
  lockText,
  lockWarnings,
  policyOf,
} from './lock-policy.ts';
import { costItems, preview, previewItems, type Preview } from './preview.ts';
import { chooseStart, followFirstBackup, startJob, STARTS } from './start.ts';

/** Runs the command. Throws CommandError `Declined` if the user declines to write the job. */
export async function init(
  context: Context,
  typed: string | undefined,
  options: InitOptions,
): Promise<ExitCode> {
  const hint = '; a script pipes one answer a line, and --yes takes the default answers';
  const yes = context.isConfirmed;
  const answers = new Answers(context.io, { yes, command: 'init', hint });
  try {
    const home = await context.home();
    const config = await loadConfig(home);
    const asking = { context, options, answers, config };
    const plan = await askPlan(asking, home, typed);
    const { folder, exclude = [] } = plan.job;
    const seen = await preview(context, { folder, exclude }, home);
    const items = [...previewItems(seen), ...storeItems(home, plan), ...costItems(seen, plan.job)];
    await context.remark(summary(plan, items, context.io.stderr.columns).trimEnd());
    const start = await chooseStart(asking);
    const text = `Write the job to ${visible(shortPath(home.configFile))}${STARTS[start]}`;
    const isWanted = await answers.askYes({ text, proposed: 'y', option: '--yes' });
    if (!isWanted) throw new CommandError('Declined', 'not confirmed: nothing was written');
    await write(home, plan);
    const { name } = plan.job;
    const written = `wrote job ${visible(name)} to ${visible(home.configFile)}`;
    if (!context.json) await context.out.prose(written);
    const service = await startJob(context, start);
    if (context.json) {
      await context.out.json(answerOf(home, plan, seen, service));
      return EXIT.ok;
    }
    if (start !== 'no') return await followFirstBackup(context, name);
    await context.remark('to start the job: holdfast up --detach');
    return EXIT.ok;
  } finally {
    answers.close();
  }
}

async function askPlan(asking: Asking, home: Home, typed: string | undefined): Promise<Plan> {
  const { context, options, answers } = asking;
  const existing = (answer: string) => existingFolder(context, expandedPath(answer));
  const complete = (answer: string) => foldersBelow(context, answer);
  const folder = await (typed === undefined
    ? answers.ask({ text: 'Folder to back up', option: 'FOLDER', complete }, existing)
    : existing(typed));
  const place = await askDestination(asking, home);
  const proposed = place.bucket ?? bucketNameFor(basename(folder));
  const bucketOf = async (answer: string) => {
    await checkBucketName(answer);
    return answer;
  };
  const bucket = await (options.bucket === undefined && place.bucket === undefined
    ? answers.ask({ text: 'Bucket', proposed, option: '--bucket' }, bucketOf)
    : bucketOf(options.bucket ?? proposed));
  const exclude = options.exclude && [...options.exclude];
  const target = place.target ?? place.known;
  const { prefix } = place;
  const job = {
    name: bucket,
    folder,
    bucket,
    ...defined({ prefix, target: target?.name, exclude }),
  };
  const plan = { ...defined({ target: place.target, key: place.key }), job };
  const { isLockable, mayExtendLocks, warnings, storagePort } = await checkPlan(
    context,
    home,
    plan,
  );
  const { lock, promise } = await askLock(asking, bucket, isLockable);
  return {
    ...plan,
    ...defined({ storagePort }),
    job: { ...job, ...defined({ lock }) },
    promise,
    warnings: [...lockWarnings(lock, target, mayExtendLocks), ...warnings],
  };
}

async function askLock({ options, answers }: Asking, bucket: string, isLockable: boolean) {
  const lockable = (policy: LockPolicy) => {
    if (policy === 'none' || isLockable) return policy;
    throw new CommandError(
      'Conflict',
      `bucket ${bucket} has no Object Lock, so its versions cannot be locked`,
      'choose none, or another bucket: Object Lock cannot be added to a bucket later',
    );
  };
  const proposed = isLockable ? 'governance' : 'none';
  const question = { text: 'Lock', explained: LOCKS_EXPLAINED, proposed, option: '--lock' };
  const policy = await (options.lock === undefined
    ? answers.ask(question, (answer) => lockable(chosenPolicy(answer)))
    : lockable(policyOf(options.lock)));
  const days =
    policy === 'none'
      ? 0
      : (options.days ??
        (await answers.ask(
          { text: 'For how many days', proposed: '30', option: '--days' },
          daysOf,
        )));
  return { lock: lockEntry(policy, days), promise: lockText(policy, days) };
}

function summary(
  { job, target, promise, warnings }: Plan,
  items: readonly Item[],
  columns: number | undefined,
): string {
  const place =
    job.target === undefined ? 'in the embedded store' : `at ${target?.endpoint ?? job.target}`;
  const within = `${job.bucket}${job.prefix === undefined ? '' : `/${job.prefix}`}`;
  const lines = [
    visible(`${job.folder} → bucket ${within} ${place}`),
    ...items,
    ['lock', promise] as const,
    ...warnings.map((warning): Item => ['!', visible(warning)]),
  ];
  return explainedText(lines, columns);
}

/** If the job uses the embedded store, returns where the store is. */
function storeItems(home: Home, { job }: Plan): Item[] {
  return job.target === undefined ? [['stored in', visible(storeFolder(home))]] : [];
}

async function write(home: Home, { job, target, key, storagePort }: Plan): Promise<void> {
  prepareHome(home);
  if (target && key) await writeCredentials(join(home.credentialsDir, `${target.name}.json`), key);
  await addJobWithTarget(home, { job, ...defined({ target, storagePort }) });
}

function answerOf(
  home: Home,
  { job, warnings }: Plan,
  { files, bytes }: Preview,
  service: Installed | undefined,
) {
  return { config: home.configFile, job, files, bytes, warnings, ...defined({ service }) };
}

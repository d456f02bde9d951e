/**
 * Implements `holdfast init`, which adds a job and can install the service. It writes nothing before the last answer.
 */

import { homedir } from 'node:os';
import { basename, join } from 'node:path';

import { defined } from '../../../base/defined.ts';
import { bucketNameFor } from '../../../config/bucket-name.ts';
import { writeCredentials } from '../../../config/credentials.ts';
import { addJobWithTarget } from '../../../config/edit.ts';
import { prepareHome } from '../../../config/home.ts';
import type { Home } from '../../../config/home.ts';
import { loadConfig } from '../../../config/load.ts';
import { EXIT, usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { Answers, type Check, type Question } from '../../arguments/answers.ts';
import { checkBucketName, existingFolder } from '../../arguments/folder.ts';
import type { Installed } from '../service/install.ts';
import { visible } from '../../output/text.ts';
import { askPlace } from './ask-place.ts';
import type { Asking, InitOptions, Plan } from './asking.ts';
import { checkPlan } from './check-plan.ts';
import {
  daysOf,
  lockEntry,
  LOCKS_EXPLAINED,
  lockText,
  lockWarnings,
  policyOf,
} from './lock-policy.ts';
import { preview, previewLines, type Preview } from './preview.ts';

/** Asks for the job and writes it to config.yaml. Returns `EXIT.failed` if the user declines to write it. */
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
    const asked = await askAll(asking, typed);
    const warnings = [...asked.warnings, ...(await checkPlan(context, home, asked))];
    const plan = { ...asked, warnings };
    const seen = await preview(plan.job.folder, plan.job.exclude ?? [], home);
    await context.remark(summaryLines(plan, previewLines(seen)).map(visible).join('\n'));
    const asService = await askService(asking);
    const isWanted = await askYes(answers, {
      text: 'Write this to config.yaml',
      proposed: 'y',
      option: '--yes',
    });
    if (!isWanted) {
      await context.remark('nothing was written');
      return EXIT.failed;
    }
    await write(home, plan);
    const written = `wrote job ${visible(plan.job.name)} to ${visible(home.configFile)}`;
    if (!context.json) await context.out.lines(written);
    const service = await start(context, asService);
    if (context.json) await context.out.json(answerOf(home, plan, seen, service));
    return EXIT.ok;
  } finally {
    answers.close();
  }
}

async function askAll(asking: Asking, typed: string | undefined): Promise<Plan> {
  const { context, options, answers } = asking;
  // Expands `~`, because no shell does it for an answer.
  const existing = (answer: string) =>
    existingFolder(context, answer.replace(/^~(?=\/|$)/, homedir));
  const folder = await (typed === undefined
    ? answers.ask({ text: 'Folder to mirror', option: 'FOLDER' }, existing)
    : existing(typed));
  const place = await askPlace(asking);
  const proposed = bucketNameFor(basename(folder));
  const bucketOf = async (answer: string) => {
    await checkBucketName(answer);
    return answer;
  };
  const bucket = await (options.bucket === undefined
    ? answers.ask({ text: 'Bucket', proposed, option: '--bucket' }, bucketOf)
    : bucketOf(options.bucket));
  const { lock, promise } = await askLock(asking);
  const exclude = options.exclude && [...options.exclude];
  const target = place.target ?? place.known;
  return {
    ...defined({ target: place.target, key: place.key }),
    job: { name: bucket, folder, bucket, ...defined({ target: target?.name, lock, exclude }) },
    promise,
    warnings: lockWarnings(lock, target),
  };
}

async function askLock({ options, answers }: Asking) {
  const question = { text: 'Lock', explained: LOCKS_EXPLAINED, proposed: 'none', option: '--lock' };
  const policy = await (options.lock === undefined
    ? answers.ask(question, policyOf)
    : policyOf(options.lock));
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

function summaryLines({ job, target, promise, warnings }: Plan, seen: readonly string[]): string[] {
  const place = target?.endpoint ?? job.target ?? 'the embedded store';
  return [
    '',
    `${job.folder} → bucket ${job.bucket} at ${place}`,
    ...seen.map((line, index) => (index === 0 ? `  to upload: ${line}` : line)),
    `  ${promise}`,
    ...warnings.map((warning) => `! ${warning}`),
  ];
}

async function write(home: Home, { job, target, key }: Plan): Promise<void> {
  prepareHome(home);
  if (target && key) await writeCredentials(join(home.credentialsDir, `${target.name}.json`), key);
  await addJobWithTarget(home, { job, ...defined({ target }) });
}

function answerOf(
  home: Home,
  { job, warnings }: Plan,
  { files, bytes }: Preview,
  service: Installed | undefined,
) {
  return { config: home.configFile, job, files, bytes, warnings, ...defined({ service }) };
}

/**
 * Returns whether to install the service. If so, first checks that it can be installed. Does not ask if a daemon
 * already runs.
 */
async function askService({ context, options, answers }: Asking): Promise<boolean> {
  const checked = async (isWanted: boolean) => {
    if (isWanted) await (await import('../service/install.ts')).checkInstallable(context, {});
    return isWanted;
  };
  if (options.service !== undefined) return checked(options.service);
  const daemon = await context.connectIfRunning();
  daemon?.close();
  if (daemon) return false;
  const question = 'Run Holdfast as a system service, now and at each start';
  return askYes(answers, { text: question, proposed: 'n', option: '--service' }, checked);
}

/** Installs the service and returns what it installed, or makes a running daemon reload config.yaml. */
async function start(context: Context, asService: boolean): Promise<Installed | undefined> {
  if (asService) {
    const { install, installedLines } = await import('../service/install.ts');
    const installed = await install(context, {});
    if (!context.json) await context.out.lines(...installedLines(installed, {}));
    return installed;
  }
  const daemon = await context.connectIfRunning();
  if (daemon) await daemon.call('config.reload', {}).finally(() => daemon.close());
  await context.remark(
    daemon
      ? 'the running daemon has started the job; to see its state: holdfast status'
      : `to start the job: holdfast up${context.homeOption}`,
  );
  return undefined;
}

function askYes(
  answers: Answers,
  { text, ...question }: Question,
  checked: Check<boolean, boolean> = (isYes) => isYes,
): Promise<boolean> {
  return answers.ask({ ...question, text: `${text}? (y/n)` }, (answer) => {
    if (/^(?:y(?:es)?|no?)$/i.test(answer)) return checked(/^y/i.test(answer));
    throw usageError(`"${answer}" is neither yes nor no`);
  });
}

/** `holdfast init`: a first job, from its folder to a service that runs. Nothing is written before the last answer. */

import { basename, join } from 'node:path';

import { defined } from '../../base/defined.ts';
import { bucketNameFor } from '../../config/bucket-name.ts';
import { type Credentials, readCredentials, writeCredentials } from '../../config/credentials.ts';
import { addJobWithTarget, type JobWithTarget, planJobWithTarget } from '../../config/edit.ts';
import { prepareHome } from '../../config/home.ts';
import type { Home } from '../../config/home.ts';
import { loadConfig, parseConfig } from '../../config/load.ts';
import type { Config } from '../../config/config.ts';
import { CommandError, EXIT, usageError } from '../command-error.ts';
import type { ExitCode } from '../command-error.ts';
import type { Context } from '../context.ts';
import { checkBucketName, existingFolder } from '../folder.ts';
import { credentialsFrom, endpointOf } from '../remote-target.ts';
import { visible } from '../text.ts';
import { Answers } from './answers.ts';
import { daysOf, lockEntry, LOCKS_EXPLAINED, lockText, policyOf } from './lock-policy.ts';
import { preview, previewLines } from './preview.ts';
import { tryService } from './try-service.ts';

export interface InitOptions {
  readonly to?: string;
  readonly dialect?: 'svc' | 'amz';
  readonly region?: string;
  readonly credentials?: string;
  readonly bucket?: string;
  readonly lock?: string;
  readonly days?: number;
  readonly exclude?: readonly string[];
  readonly service?: boolean;
  readonly yes?: boolean;
}

/** All that was asked for. */
interface Plan extends JobWithTarget {
  /** Of a target that is new. */
  readonly key?: Credentials;
  readonly promise: string;
}

interface Asking {
  readonly context: Context;
  readonly options: InitOptions;
  readonly answers: Answers;
  readonly config: Config;
}

export async function init(
  context: Context,
  typed: string | undefined,
  options: InitOptions,
): Promise<ExitCode> {
  const answers = new Answers(context.io, options);
  try {
    const home = await context.home();
    const config = await loadConfig(home);
    const asking = { context, options, answers, config };
    const plan = await askAll(asking, typed);
    await checkPlan(context, home, plan);
    const seen = await preview(plan.job.folder, plan.job.exclude ?? [], home);
    await context.remark(summaryLines(plan, previewLines(seen)).map(visible).join('\n'));
    const asService = await askService(asking);
    const isWanted = await askYes(answers, 'Write this to config.yaml', 'y', '--yes');
    if (!isWanted) {
      await context.remark('nothing was written');
      return EXIT.failed;
    }
    await write(home, plan);
    await tellWritten(context, home, plan, seen);
    await start(context, asService);
    return EXIT.ok;
  } finally {
    answers.close();
  }
}

async function askAll(asking: Asking, typed: string | undefined): Promise<Plan> {
  const { context, options, answers } = asking;
  const existing = (answer: string) => existingFolder(context, answer);
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
  const target = place.target?.name ?? place.known;
  return {
    ...defined({ target: place.target, key: place.key }),
    job: { name: bucket, folder, bucket, ...defined({ target, lock, exclude }) },
    promise,
  };
}

async function askPlace({ context, options, answers, config }: Asking) {
  const toOf = (answer: string) => (answer === 'local' ? answer : endpointOf(answer, 'mirror to'));
  const explained = [
    '',
    'Where to? local is a store on this machine, which protects from mistakes only; another place',
    'protects from the loss of this machine, too: https://storage.example.com',
  ];
  const question = { text: 'Place', explained, proposed: 'local', option: '--to' };
  const to = await (options.to === undefined ? answers.ask(question, toOf) : toOf(options.to));
  if (to === 'local') return {};
  const known = config.targets.find(({ endpoint }) => endpoint === to);
  if (known) return { known: known.name };
  const dialectOf = (answer: string) => {
    if (answer === 'svc' || answer === 'amz') return answer;
    throw usageError(`init: "${answer}" is no dialect`, 'it is svc or amz');
  };
  const dialect =
    options.dialect ??
    (await answers.ask(
      {
        text: 'Dialect (amz: S3 and most services; svc: x-svc- headers, another Holdfast)',
        proposed: 'amz',
        option: '--dialect',
      },
      dialectOf,
    ));
  const text = (answer: string) => answer;
  const region =
    options.region ??
    (await answers.ask({ text: 'Region', proposed: 'us-east-1', option: '--region' }, text));
  const key = await askKey(context, options, answers, to);
  const name = bucketNameFor(URL.parse(to)?.hostname ?? 'target');
  return { target: { name, endpoint: to, dialect, region }, key };
}

async function askKey(
  context: Context,
  { credentials }: InitOptions,
  answers: Answers,
  to: string,
): Promise<Credentials> {
  if (credentials !== undefined) return readCredentials(context.path(credentials));
  try {
    return credentialsFrom(context.io.env, `mirror to ${to}`);
  } catch (error) {
    if (!(error instanceof CommandError && error.code === 'NoCredentials')) throw error;
  }
  const option = '--credentials FILE, or HOLDFAST_TARGET_ACCESS_KEY_ID and …_SECRET_ACCESS_KEY';
  const text = (answer: string) => answer;
  const accessKeyId = await answers.ask({ text: 'Access key id', option }, text);
  const secret = { text: 'Secret access key (not shown)', option, isSecret: true };
  return { accessKeyId, secretAccessKey: await answers.ask(secret, text) };
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

/** What would be wrong with it is said before the last question, and the key is tried. */
async function checkPlan(context: Context, home: Home, plan: Plan): Promise<void> {
  const { after, problems } = await planJobWithTarget(home, plan);
  const [problem] = problems;
  if (problem) {
    throw new CommandError('Conflict', `init: ${problem.path ?? 'config.yaml'} ${problem.message}`);
  }
  const config = parseConfig(after, { file: home.configFile, home });
  const { name, target } = plan.job;
  if (target === undefined) return;
  const findings = await tryService({
    home,
    config: {
      ...config,
      targets: config.targets.filter((each) => each.name === target),
      jobs: config.jobs.filter((each) => each.name === name),
    },
    clock: context.io.clock,
    keys: new Map(plan.key ? [[target, plan.key]] : []),
  });
  const failed = findings.find(({ severity }) => severity === 'failed');
  if (failed)
    throw new CommandError('NotStarted', `init: ${failed.check}: ${failed.message}`, failed.fix);
  for (const { check, severity, message } of findings)
    await context.remark(visible(`${severity === 'attention' ? '!' : 'ok'} ${check}: ${message}`));
}

function summaryLines({ job, target, promise }: Plan, seen: readonly string[]): string[] {
  const place = target?.endpoint ?? job.target ?? 'the embedded store';
  return [
    '',
    `${job.folder} → bucket ${job.bucket} at ${place}`,
    ...seen.map((line, index) => (index === 0 ? `  to be sent: ${line}` : line)),
    `  ${promise}`,
  ];
}

async function write(home: Home, { job, target, key }: Plan): Promise<void> {
  prepareHome(home);
  if (target && key) await writeCredentials(join(home.credentialsDir, `${target.name}.json`), key);
  await addJobWithTarget(home, { job, ...defined({ target }) });
}

async function tellWritten(
  context: Context,
  home: Home,
  { job }: Plan,
  { files, bytes }: { readonly files: number; readonly bytes: number },
): Promise<void> {
  const config = home.configFile;
  if (context.json) return context.out.json({ config, job, files, bytes });
  await context.out.lines(`wrote job ${visible(job.name)} to ${visible(config)}`);
}

/** No question where a daemon runs already. */
async function askService({ context, options, answers }: Asking): Promise<boolean> {
  if (options.service !== undefined) return options.service;
  const daemon = await context.connectIfRunning();
  daemon?.close();
  if (daemon) return false;
  return askYes(answers, 'Start it as a service, now and with the system', 'n', '--service');
}

async function start(context: Context, asService: boolean): Promise<void> {
  const daemon = await context.connectIfRunning();
  if (daemon) {
    await daemon.call('config.reload', {}).finally(() => daemon.close());
    return context.remark('the daemon that runs has begun with it: holdfast status');
  }
  if (!asService) return context.remark(`start it: holdfast up${context.homeOption}`);
  const { installService } = await import('../service/service.ts');
  await installService(context, {});
}

function askYes(answers: Answers, text: string, proposed: 'n' | 'y', option: string) {
  return answers.ask({ text: `${text}? (y/n)`, proposed, option }, (answer) => {
    if (/^(?:y(?:es)?|no?)$/i.test(answer)) return /^y/i.test(answer);
    throw usageError(`init: "${answer}" is neither yes nor no`);
  });
}

/**
 * Implements `holdfast up`. It backs up a folder with the running daemon, or starts a daemon in this process or in the
 * background.
 */

import { defined } from '../../../base/defined.ts';
import type { Protocol } from '../../../config/schema-words.ts';
import type { ControlClient } from '../../../control/client.ts';
import { nextStep } from '../../../control/job-standing.ts';
import type { JobStatus } from '../../../control/shapes.ts';
import { addedLines } from '../job/added.ts';
import { EXIT, usageError, type ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import type { CredentialOptions } from '../../arguments/remote-target.ts';
import { checkBucketName, existingFolder } from '../../arguments/folder.ts';
import { awaitStart } from './await-start.ts';
import { follow } from './follow.ts';
import { catchInterrupts, type Interrupts } from '../../interrupts.ts';
import { commonWarnings, routeText, stateText } from '../../output/job-text.ts';
import { flagsOf, remoteTarget } from '../../arguments/remote-target.ts';
import type { RemoteTarget } from '../../arguments/remote-target.ts';
import { readKey } from '../../arguments/target-key.ts';
import { servicePlaceOf } from '../../arguments/service-place.ts';
import { parseTargetPlace, type TargetPlace } from '../../arguments/target-place.ts';
import { stopDaemon } from './stop-daemon.ts';
import type { StoppableDaemon } from './stop-daemon.ts';
import { FAILED } from '../../output/summary.ts';
import { visible } from '../../output/text.ts';

export interface UpOptions extends CredentialOptions {
  readonly bucket?: string;
  readonly to?: string;
  readonly protocol?: Protocol;
  readonly region?: string;
  readonly caFile?: string;
  readonly exclude?: readonly string[];
  readonly takeOver?: boolean;
  readonly once?: boolean;
  readonly detach?: boolean;
  readonly port?: number;
}

/** The request of the user. It is checked as far as possible before anything is started. */
interface Wish {
  /** The folder to back up. Absent to follow the existing jobs. */
  readonly folder?: string;
  readonly target?: RemoteTarget;
  /** The configured target that `--to` specifies. */
  readonly known?: string;
  /** The bucket and the prefix, from `--bucket` or from `--to`. */
  readonly bucket?: string;
  readonly prefix?: string;
  readonly options: UpOptions;
}

export async function up(
  context: Context,
  typed: string | undefined,
  options: UpOptions,
): Promise<ExitCode> {
  const wish = await checkWish(context, typed, options);
  const interrupts = catchInterrupts(context.io.stderr);
  try {
    return await withSomeDaemon(context, options, interrupts, async (daemon, own) => {
      await printDaemon(context, daemon, own);
      const jobs = wish.folder === undefined ? undefined : [await addJob(context, daemon, wish)];
      if (options.detach) return printDetached(context, daemon, jobs);
      if (!jobs) await printJobs(context, (await daemon.call('status', {})).jobs);
      const { signal } = interrupts;
      return follow({ context, daemon, own, signal, jobs, once: options.once ?? false });
    });
  } finally {
    interrupts.release();
  }
}

async function checkWish(
  context: Context,
  typed: string | undefined,
  options: UpOptions,
): Promise<Wish> {
  const { env } = context.io;
  const { bucket, to, protocol, region, caFile, exclude, takeOver } = options;
  const { credentials, profile, credentialsCommand } = options;
  const keyOptions = defined({ credentials, profile, credentialsCommand });
  if (options.detach && options.once)
    throw usageError('cannot use --detach with --once', '--once waits until everything is durable');
  if (typed === undefined) {
    const given = { bucket, to, protocol, region, caFile, ...keyOptions, exclude, takeOver };
    const flags = flagsOf(given);
    if (flags !== '') {
      throw usageError(
        `cannot use ${flags} without a folder`,
        `name the folder: holdfast up FOLDER ${flags} …`,
      );
    }
    return { options };
  }
  const folder = await existingFolder(context, typed);
  if (bucket !== undefined) await checkBucketName(bucket);
  const place = to === undefined ? undefined : await configuredPlace(context, to);
  const service = to === undefined || place ? undefined : servicePlaceOf(to, options, env);
  const named = place ?? service;
  if (bucket !== undefined && named?.bucket !== undefined)
    throw usageError(`cannot use --bucket with --to ${to}, which names a bucket`);
  if (service?.bucket !== undefined) await checkBucketName(service.bucket);
  const at = { bucket: bucket ?? named?.bucket, prefix: named?.prefix || undefined };
  const wish = { folder, options, ...defined(at) };
  if (place) {
    const flags = flagsOf({ protocol, region, caFile, ...keyOptions });
    if (flags !== '')
      throw usageError(
        `cannot use ${flags} with the target ${place.target.name}, which has its own`,
        `to change its key: holdfast target set-key ${place.target.name}`,
      );
    return { ...wish, known: place.target.name };
  }
  const hasSource = to !== undefined && Object.keys(keyOptions).length > 0;
  const verb = `cannot back up to ${to}`;
  const key = hasSource ? await readKey(context, { options: keyOptions, verb }) : undefined;
  const file = caFile && context.path(caFile);
  const remote = { to, service, protocol, region, caFile: file, key, keyOptions };
  return defined({ ...wish, target: remoteTarget(remote, env) });
}

/**
 * Returns the configured target, bucket and prefix that `--to` specifies. Returns undefined if `--to` does not start
 * with the name of a target.
 */
async function configuredPlace(context: Context, to: string): Promise<TargetPlace | undefined> {
  const { loadConfig } = await import('../../../config/load.ts');
  const { targets } = await loadConfig(await context.home());
  return parseTargetPlace(to, targets);
}

/**
 * Calls `use` with the running daemon. If no daemon is running, starts one. With `--detach`, it starts in the
 * background. Otherwise it runs in this process and is stopped afterwards.
 */
async function withSomeDaemon<T>(
  context: Context,
  { port, detach }: UpOptions,
  interrupts: Interrupts,
  use: (daemon: ControlClient, own: boolean) => Promise<T>,
): Promise<T> {
  const running = await context.connectIfRunning();
  if (running && port !== undefined) {
    running.close();
    throw usageError(
      'cannot use --port: a daemon is already running',
      'to stop it first: holdfast down',
    );
  }
  if (running) return use(running, false).finally(() => running.close());
  if (detach) {
    const { startDaemon } = await import('./start-daemon.ts');
    await startDaemon(context, port);
    return context.withDaemon((daemon) => use(daemon, false));
  }
  const own: StoppableDaemon = await startHere(context, port);
  try {
    return await context.withDaemon((daemon) => use(daemon, true));
  } finally {
    await stopDaemon(own, context, interrupts.isHangup() ? 'its terminal was closed' : undefined);
  }
}

async function startHere(context: Context, port?: number): Promise<StoppableDaemon> {
  const { startDaemon } = await import('../../../../daemon/main.ts');
  return startDaemon({ home: await context.home(), ...defined({ port }) });
}

/** With `--verbose`, prints where the daemon and the embedded store are. */
async function printDaemon(context: Context, daemon: ControlClient, own: boolean): Promise<void> {
  if (context.json || !context.options.verbose) return;
  const { version, home, listeners } = await daemon.call('status', {});
  const { paint } = context.out;
  await context.out.prose(
    `${paint('strong', `holdfast ${version}`)}  ` +
      (own ? `started, pid ${daemon.hello.pid}` : `already running, pid ${daemon.hello.pid}`),
    `home     ${visible(home)}`,
    ...listeners.map(({ name, url }) => `${name.padEnd(7)}  ${url}`),
    '         for other tools: eval "$(holdfast admin credentials --env)"',
    '         dashboard: holdfast dashboard',
  );
}

async function addJob(
  context: Context,
  daemon: ControlClient,
  { folder = '', target, known, bucket, prefix, options }: Wish,
) {
  const named = target && (await daemon.call('targets.add', target));
  if (named?.warning) await context.remark(visible(`target ${named.name}: ${named.warning}`));
  const exclude = options.exclude && [...options.exclude];
  const { takeOver } = options;
  const to = { target: named?.name ?? known, bucket, prefix };
  const added = await daemon.call('jobs.add', defined({ folder, ...to, exclude, takeOver }));
  if (context.json && !options.once) await context.out.jsonEvent({ type: 'job.added', ...added });
  const { name } = added.job;
  const [job = added.job] = options.detach ? await awaitStart(daemon, context.io.clock, name) : [];
  if (!context.json) await context.out.prose(...addedLines({ ...added, job }, context.out.paint));
  return job;
}

/** Prints the jobs that failed. If `added` is undefined, waits until all jobs have started, and prints all of them. */
async function printDetached(
  context: Context,
  daemon: ControlClient,
  added: readonly JobStatus[] | undefined,
): Promise<ExitCode> {
  const jobs = added ?? (await awaitStart(daemon, context.io.clock));
  const failed = jobs.filter(({ state }) => FAILED.has(state));
  if (context.json) await context.out.json({ pid: daemon.hello.pid, jobs });
  else if (!added) await printJobs(context, jobs);
  else await context.out.prose(...failed.flatMap((job) => failureLines(context, job)));
  const pid = context.options.verbose ? `, pid ${daemon.hello.pid}` : '';
  if (jobs.length === 0 && !context.json) {
    const { listeners } = await daemon.call('status', {});
    const url = listeners.find(({ name }) => name === 'storage')?.url;
    if (url !== undefined) await context.remark(`the embedded store accepts S3 requests at ${url}`);
  }
  await context.remark(
    `the daemon runs in the background${pid}; to see its state: holdfast status; to stop it: holdfast down`,
  );
  return failed.length > 0 ? EXIT.failed : EXIT.ok;
}

function failureLines({ out }: Context, job: JobStatus): string[] {
  const next = nextStep(job) ?? `to remove the job again: holdfast job remove ${job.name}`;
  return [`${out.paint('strong', `job ${job.name}`)}  ${stateText(job, out.paint)}`, `  ${next}`];
}

async function printJobs(context: Context, jobs: readonly JobStatus[]): Promise<void> {
  if (context.json) return;
  const { paint } = context.out;
  const lines = jobs.map(
    (job) => `${paint('strong', `job ${job.name}`)}  ${routeText(job)}: ${stateText(job, paint)}`,
  );
  const none = 'no jobs yet; to add one: holdfast up FOLDER';
  await context.out.prose(
    ...(jobs.length === 0 ? [none] : lines),
    ...commonWarnings(jobs).map((warning) => paint('attention', visible(warning))),
  );
}

/**
 * Creates a home and uses every feature that writes a name: jobs with local and remote buckets,
 * conflicts, held deletes, restore tests, alarms, alerts, users and clusters. It uses only
 * commands, as a user does.
 */

import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { startDaemon } from '../../../daemon/main.ts';
import { resolveHome } from '../../../src/config/home.ts';
import { openRecordingProxy } from '../../clients/recording-proxy.ts';
import { firstRequest } from '../recorded-request.ts';
import { jsonOf, runCli } from '../run-cli.ts';
import { until } from '../until.ts';

export interface Sent {
  readonly method: string;
  /** Path and query of the request. */
  readonly url: string;
  /** Header values by name. The names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

export interface SampleHome {
  readonly home: string;
  /** Path of the folder that the command `backup-state` wrote. */
  readonly backup: string;
  /** Files that two restores into the same folder created, relative to the parent folder. */
  readonly restored: readonly string[];
  /** Files of the home while the daemon was running, as relative paths. */
  readonly paths: readonly string[];
  /**
   * Contents of two ownership markers (objects that record which job owns a prefix). The second
   * marker is that of a removed job.
   */
  readonly markers: readonly string[];
  /** Requests that the jobs with a remote bucket sent to their service. */
  readonly sent: readonly Sent[];
  /** Bodies of the responses to `GET /metrics` and `GET /health`. */
  readonly prometheus: string;
  readonly health: string;
  /** Bodies of the requests that `webhook` actions sent. */
  readonly posted: readonly string[];
  /**
   * Names of environment variables. Commands read the variables in `read`. `command` actions and
   * `credentials --env` set those in `set`.
   */
  readonly variables: { readonly read: ReadonlySet<string>; readonly set: readonly string[] };
}

/** Number of deletes, large enough that the mass-change guard holds them for review. */
const MANY = 60;
/** Size in bytes of an object that the store writes to a blob file instead of its database. */
const LARGE_BYTES = 200_000;
const TEXT = 'a line of ordinary text that compresses well\n'.repeat(100);

/** Creates the sample home. `folder` must be empty. */
export async function makeSampleHome(folder: string): Promise<SampleHome> {
  const home = join(folder, 'home');
  const read = new Set<string>();
  const run = (argv: readonly string[], more: Environment = {}) => {
    const env = { HOLDFAST_HOME: home, PATH: process.env['PATH'] ?? '', ...more };
    return runCli(argv, { env: recorded(env, read), cwd: folder });
  };
  const holdfast: Context['holdfast'] = async (...argv) => {
    const { exitCode, stdout, stderr } = await run(argv);
    // Exit code 3 is expected, because it only means that something needs the user's attention.
    if (exitCode !== 0 && exitCode !== 3) throw new Error(`${argv.join(' ')}: ${stderr}`);
    return stdout;
  };
  writeFolders(folder);
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'config.yaml'), CONFIG);
  const hook = await openHook();
  const daemon = await startDaemon({ home: resolveHome({ homeFlag: home, env: {}, cwd: folder }) });
  const key = await ownKey(holdfast);
  const service = await openRecordingProxy(Number(new URL(key.endpointUrl).port));
  try {
    const secret = { accessKeyId: key.accessKeyId, secretAccessKey: key.secretAccessKey };
    writeFileSync(join(folder, 'far.json'), JSON.stringify(secret), { mode: 0o600 });
    writeFileSync(join(home, 'config.yaml'), configText(folder, service.port, hook.url));
    await useJobs({ folder, holdfast });
    const given = await useActions({ folder, holdfast }, hook.url);
    const exported = (await holdfast('admin', 'credentials', '--env')).match(/HOLDFAST_\w+/g) ?? [];
    // The store refuses this access key, but the command reads the environment variables before
    // that.
    await run(['restore', '--from', `${key.endpointUrl}/notes`, '--to', 'none'], REFUSED_KEY);
    const watched = await readWatched(holdfast);
    const backup = join(folder, 'backup');
    await holdfast('admin', 'backup-state', backup);
    const paths = pathsIn(home);
    const restored = pathsIn(join(folder, 'restores'));
    const markers = await readMarkers(holdfast);
    const sent = service.take().flatMap((bytes) => firstRequest(bytes) ?? []);
    const variables = { read, set: [...given, ...exported] };
    return {
      home,
      backup,
      restored,
      paths,
      markers,
      sent,
      posted: hook.posted,
      ...watched,
      variables,
    };
  } finally {
    await daemon.stop('the sample is complete');
    await rebuildState(home);
    await service.close();
    await hook.close();
  }
}

/** Empties the state file of a job and starts the daemon, so that the daemon rebuilds the file. */
async function rebuildState(home: string): Promise<void> {
  writeFileSync(join(home, 'state/jobs/later/state.sqlite'), '');
  const daemon = await startDaemon({ home: resolveHome({ homeFlag: home, env: {}, cwd: home }) });
  await daemon.stop('the state is rebuilt');
}

type Environment = Readonly<Record<string, string>>;

const REFUSED_KEY = {
  HOLDFAST_TARGET_ACCESS_KEY_ID: 'unknown',
  HOLDFAST_TARGET_SECRET_ACCESS_KEY: 'unknown',
};

const CONFIG = `storage: {port: 0}
clusters: {port: 0}
metrics: {http: '127.0.0.1:0'}
`;

interface Context {
  readonly folder: string;
  /** Runs a command and returns its standard output. Throws an error if the command fails. */
  readonly holdfast: (...argv: readonly string[]) => Promise<string>;
}

function pathsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}

/** Requests /metrics and /health from the daemon's listener for monitoring tools. */
async function readWatched(holdfast: Context['holdfast']) {
  const { listeners } = jsonOf(await holdfast('status', '--json')) as Status;
  const url = listeners.find(({ name }) => name === 'metrics')?.url ?? '';
  const text = async (address: URL) => (await fetch(address)).text();
  const prometheus = await text(new URL(url));
  return { prometheus, health: await text(new URL('/health', url)) };
}

interface OwnKey {
  readonly endpointUrl: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

async function ownKey(holdfast: Context['holdfast']): Promise<OwnKey> {
  return jsonOf(await holdfast('admin', 'credentials', '--show-secret', '--json')) as OwnKey;
}

function writeFolders(folder: string): void {
  for (const name of ['notes', 'plain', 'strict', 'later', 'restores'])
    mkdirSync(join(folder, name));
  mkdirSync(join(folder, 'notes/private'), { mode: 0o700 });
  writeFileSync(join(folder, 'notes/todo.txt'), 'buy milk');
  writeFileSync(join(folder, 'notes/.holdfastignore'), '*.skipped\n');
  writeFileSync(join(folder, 'notes/not mirrored.skipped'), '');
  symlinkSync('todo.txt', join(folder, 'notes/a link'));
  for (const name of ['notes/many', 'strict/many']) {
    mkdirSync(join(folder, name));
    for (let number = 0; number < MANY; number++)
      writeFileSync(join(folder, name, `${number}.txt`), TEXT);
  }
  writeFileSync(join(folder, 'strict/large'), randomBytes(LARGE_BYTES));
  for (const name of ['both.txt', 'gone.txt', 'rest.txt'])
    writeFileSync(join(folder, 'plain', name), name);
}

function configText(folder: string, port: number, hook: string): string {
  return `${CONFIG}alerts:
  actions:
    - {type: webhook, url: '${hook}'}
    - {type: command, argv: [/bin/sh, -c, 'env >${folder}/alert.env']}
targets: [{name: far, endpoint: 'http://127.0.0.1:${port}', credentialsFile: '${folder}/far.json'}]
jobs:
  - name: notes
    folder: ${folder}/notes
    bucket: notes
    lock: {mode: GOVERNANCE, days: 2, refreshDays: 1}
    keep: {all: 1d}
    also: [{target: far, bucket: notes-far}]
  - {name: plain, folder: ${folder}/plain, bucket: plain, target: far, conflict: local}
  - {name: strict, folder: ${folder}/strict, bucket: strict, lock: {mode: COMPLIANCE, days: 1}}
  - {name: later, folder: ${folder}/later, bucket: later, schedule: 0 3 29 2 *}
`;
}

async function useJobs(context: Context): Promise<void> {
  const { holdfast } = context;
  await holdfast('s3', 'mb', 'plain', '--no-versioning');
  await holdfast('config', 'reload');
  await holdfast('wait', 'notes', 'notes@far', 'plain', 'strict');
  await changeBothSides(context);
  await proveRestores(context);
  await attack(context);
}

/** Creates a conflict and deletes a file, in a job whose bucket has no versioning. */
async function changeBothSides({ folder, holdfast }: Context): Promise<void> {
  await holdfast('job', 'pause', 'plain');
  writeFileSync(join(folder, 'other'), 'of another client');
  await holdfast('s3', 'put', join(folder, 'other'), 'plain/both.txt');
  writeFileSync(join(folder, 'plain/both.txt'), 'mine');
  rmSync(join(folder, 'plain/gone.txt'));
  await holdfast('job', 'resume', 'plain');
  await holdfast('wait', 'plain');
}

/** Verifies, tests and restores a job. Also prunes versions and acknowledges a problem. */
async function proveRestores({ folder, holdfast }: Context): Promise<void> {
  await holdfast('verify', 'notes');
  await holdfast('test', 'notes');
  await holdfast('job', 'keep', 'notes', '--yes');
  await holdfast('restore', 'notes', '--to', join(folder, 'restores/notes'));
  writeFileSync(join(folder, 'restores/notes/todo.txt'), 'changed since');
  await holdfast('restore', 'notes', '--to', join(folder, 'restores/notes'));
  // The name of this file is not valid UTF-8, so it cannot be an object key and the job reports a
  // problem.
  writeFileSync(Buffer.from(`${folder}/notes/\xff`, 'latin1'), '');
  await holdfast('wait', 'notes');
  const { jobs } = jsonOf(await holdfast('status', '--json')) as Status;
  const [problem] = jobs.find(({ name }) => name === 'notes')?.problems ?? [];
  await holdfast('job', 'acknowledge', 'notes', problem?.path ?? '', '--note', 'known');
}

interface Status {
  readonly listeners: readonly { readonly name: string; readonly url: string }[];
  readonly jobs: readonly {
    readonly name: string;
    readonly state: string;
    readonly problems: readonly { readonly path: string }[];
  }[];
}

/**
 * Simulates an attack: mass deletion, a renamed file under COMPLIANCE retention, encrypted files
 * and a missing folder.
 */
async function attack({ folder, holdfast }: Context): Promise<void> {
  rmSync(join(folder, 'notes/many'), { recursive: true });
  renameSync(join(folder, 'strict/large'), join(folder, 'strict/renamed'));
  await holdfast('wait', 'notes', 'notes@far', 'strict');
  for (let number = 0; number < MANY; number++)
    writeFileSync(join(folder, `strict/many/${number}.txt`), randomBytes(TEXT.length));
  await holdfast('wait', 'strict');
  renameSync(join(folder, 'strict'), join(folder, 'lost'));
  const state = async () => {
    const { jobs } = jsonOf(await holdfast('status', '--json')) as Status;
    return jobs.find(({ name }) => name === 'strict')?.state;
  };
  await until(state, (found) => found === 'root missing');
}

async function readMarkers(holdfast: Context['holdfast']): Promise<string[]> {
  await holdfast('job', 'remove', 'plain', '--yes');
  return Promise.all(
    ['notes-far', 'plain'].map((bucket) => holdfast('s3', 'get', `${bucket}/.holdfast/claim`, '-')),
  );
}

/**
 * Runs alarm actions and alert actions. Returns the names of the environment variables that their
 * commands received.
 */
async function useActions({ folder, holdfast }: Context, hook: string): Promise<string[]> {
  const command = `command:${JSON.stringify(['/bin/sh', '-c', `env >${folder}/alarm.env`])}`;
  await holdfast('monitor', 'metrics', 'on', 'notes');
  const alarm = 'monitor alarms add too-full --bucket notes --threshold 1GB'.split(' ');
  await holdfast(...alarm, '--on-alarm', `webhook:${hook}`, '--on-alarm', command);
  await holdfast('monitor', 'alarms', 'test', 'too-full');
  await holdfast('monitor', 'alerts', 'test', 'notes');
  await holdfast('admin', 'users', 'add', 'ann');
  await holdfast('lock', 'hold', 'on', 'notes/todo.txt');
  await holdfast('cluster', 'create', 'farm', '--cluster-version', '1.34', '--subnet', 'subnet-1');
  return ['alarm.env', 'alert.env'].flatMap(
    (name) => readFileSync(join(folder, name), 'utf8').match(/^HOLDFAST_A\w+/gm) ?? [],
  );
}

/** Adds the name of each `HOLDFAST_*` variable that a command reads to `read`. */
function recorded(env: Environment, read: Set<string>): Environment {
  return new Proxy(env, {
    get(target, name) {
      if (typeof name === 'string' && name.startsWith('HOLDFAST_')) read.add(name);
      return Reflect.get(target, name) as unknown;
    },
  });
}

async function openHook() {
  const posted: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      posted.push(body);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${port}/hook`, posted, close };
}

/**
 * Sets up the folders, disks, services and jobs that the tests of error messages use. An
 * unprivileged user owns all of them.
 */

import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect } from 'vitest';

import { type RunningDaemon, startDaemon } from '../../../daemon/main.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { resolveHome } from '../../../src/config/home.ts';
import { runCliProcess } from '../cli-process.ts';
import { type DaemonProcess, startDaemonProcess } from '../daemon-process.ts';
import { fillDisk, mountSmallDisk } from '../full-disk.ts';
import { removeFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import { type CliResult, jsonOf, runCli } from '../run-cli.ts';

/**
 * Clock whose timers run 100 times faster. The timeout of 10 seconds for the daemon takes 0.1
 * seconds.
 */
const HASTY: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic(),
  sleep: (ms, signal) => systemClock.sleep(ms, signal),
  after: (ms, run) => systemClock.after(ms / 100, run),
};

/**
 * Number of deleted files, large enough that the mass-change guard holds the deletes for review.
 */
const HELD_FILES = 60;

const FILES: Readonly<Record<string, string>> = {
  'docs/plan.md': 'one',
  'docs/never.txt': 'once',
  'Papers/plan.md': 'paper',
  'safe/a.md': 'a',
  'sealed/locked': 'secret',
  'gone/a': 'a',
  'other/docs/a': 'a',
  'plan.md': 'in the way',
  there: 'here already',
  'open.json': '{}',
  'empty.json': '{}',
  'home/config.yaml': `storage: {port: 0}
jobs:
  - {name: docs, bucket: docs, folder: FOLDER/docs}
  - {name: letters, bucket: letters, folder: FOLDER/Papers}
  - {name: safe, bucket: safe, folder: FOLDER/safe, lock: {mode: GOVERNANCE, days: 30}}
  - {name: gone, bucket: gone, folder: FOLDER/gone, paused: false}
  - {name: held, bucket: held, folder: FOLDER/held}
  - {name: sealed, bucket: sealed, folder: FOLDER/sealed}
`,
  'jobs/config.yaml': 'jobs: [{name: docs, folder: FOLDER/docs, bucket: docs}]\n',
  'cold/config.yaml': 'storage: {port: 0}\n',
  'spare/config.yaml': 'storage: {port: 0}\n',
  'disk/home/config.yaml': 'storage: {port: 0}\n',
  'flow.yaml': 'storage: {port: 19610\n',
  'storge.yaml': 'storge: {}\n',
  'prot.yaml': 'storage: {prot: 1}\n',
  'port.yaml': 'storage: {port: 70000}\n',
  'host.yaml': 'storage: {host: 10.0.0.1}\n',
  'schedule.yaml': "jobs: [{name: docs, folder: ./docs, bucket: docs, schedule: '0 0 31 2 *'}]\n",
  'bin/systemctl': '#!/bin/sh\necho "Failed to connect to bus: No medium found" >&2; exit 1\n',
  'tab.yaml': 'storage:\n\tport: 1\n',
};

/**
 * Patterns of times, process ids, ports and other values that differ between runs, each with its
 * replacement.
 */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: [+-]\d\d:\d\d)?/g, 'TIME'],
  [/\d{4}-\d\d-\d\dT[\d:]+\.\d+Z/g, 'TIME'],
  [/\b(pid[ =]|kill -9 )\d+/g, '$1PID'],
  [/127\.0\.0\.1:\d{5}/g, '127.0.0.1:PORT'],
  [/\b\d+\.\d s\b/g, 'SECONDS'],
  [/\b[\d.]+ (?:MB|GB) are available/g, 'SIZE are available'],
  [/\b[0-9a-f]{16}\b/g, 'DIGEST'],
  [/(?<=<RequestId>)[^<]+/g, 'ID'],
  [/(?<=in use by )\S+/g, 'PROGRAM'],
];

const OBJECTS = [
  's3 mb arch',
  's3 mb vault --object-lock',
  's3 put ./there arch/b',
  's3 put ./there vault/a',
  's3 put ./there vault/c',
  'lock retention set vault/a --for 1d --mode GOVERNANCE',
  'lock retention set vault/c --for 1d --mode COMPLIANCE --yes',
  's3 encrypt new-key ./k1',
  's3 encrypt new-key ./k2',
  's3 put ./there arch/secret --key-file ./k1',
];

const ANOTHER_USER = 4711;

type Answer = RequestListener;

/** Answers a request with status 200 and well-formed XML that is not the expected response. */
const ALIKE: Answer = (request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/xml' }).end('<Anything/>');
};

const ONLY_S3: Answer = (request, response) => {
  request.resume();
  const message = 'Unsupported Authorization Type';
  response
    .writeHead(400, { 'content-type': 'application/xml' })
    .end(`<Error><Code>InvalidArgument</Code><Message>${message}</Message></Error>`);
};

export class World {
  readonly folder = mkdtempSync(join(tmpdir(), 'hf-e-'));
  /**
   * Values of placeholders in command lines, such as `$URL`. The values are known only when the
   * test runs.
   */
  readonly words = new Map<string, string>();
  readonly #endings: (() => unknown)[] = [() => removeFolder(this.folder)];
  #daemon: RunningDaemon | undefined;
  #frozen: DaemonProcess | undefined;

  async open(): Promise<void> {
    for (const disk of ['disk', 'full']) {
      mkdirSync(this.path(disk));
      this.#endings.unshift(mountSmallDisk(this.path(disk)));
    }
    for (const [path, text] of Object.entries(FILES)) this.#write(path, text);
    for (let index = 0; index < HELD_FILES; index += 1) this.#write(`held/${index}`, `${index}`);
    mkdirSync(this.path('large'));
    this.#write('large/file', '');
    truncateSync(this.path('large/file'), 2 ** 26);
    this.#ofAnother();
    const home = resolveHome({ homeFlag: this.path('home'), env: {}, cwd: '/' });
    this.#daemon = await startDaemon({ home });
    await this.#prepare();
  }

  async close(): Promise<void> {
    await this.#daemon?.stop('the test is over');
    for (const end of this.#endings) await end();
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  #run(line: string, clock: Clock = systemClock): Promise<CliResult> {
    const { argv, env } = this.#call(line);
    return runCli(argv, { env, cwd: this.folder, clock });
  }

  #spawn(line: string): Promise<CliResult> {
    const { argv, env } = this.#call(line);
    return runCliProcess(argv, { env, cwd: this.folder });
  }

  /**
   * Parses a command line. An assignment `NAME=value` before the command sets an environment
   * variable.
   */
  #call(line: string) {
    const words = (line.match(/(?:'[^']*'|\S)+/g) ?? []).map((word) => this.#word(word));
    const from = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
    const own = words.slice(0, from).map((word) => word.split('=') as [string, string]);
    const env = { HOLDFAST_HOME: this.path('home'), HOME: this.folder, ...this.#keys() };
    return { argv: words.slice(from), env: { ...env, ...Object.fromEntries(own) } };
  }

  /**
   * Runs one step of an error table. Returns the exit code and the output, or an empty string if
   * the step is not a command.
   */
  async provoke(mark: string, line: string): Promise<string> {
    if (mark === '@') return this.#plain(await this.#opened(line));
    if (mark === '&') {
      await this.#steps[line]?.();
      return '';
    }
    const { exitCode, stdout, stderr } = await this.#ran(mark, line);
    return this.#plain(`${exitCode} ${stdout}${stderr}`).trimEnd();
  }

  /**
   * Creates a presigned URL that expires after one second. Returns the error response that the
   * expired URL causes.
   */
  async #opened(object: string): Promise<string> {
    const { stdout } = await this.#run(`s3 link ${object} --expires 1s`);
    const answer = await until(
      () => fetch(stdout.trim()),
      ({ status }) => status !== 200,
    );
    return `${answer.status} ${await answer.text()}`;
  }

  #ran(mark: string, line: string): Promise<CliResult> {
    if (mark === '%') return this.#spawn(line);
    return this.#run(line, mark === '~' ? HASTY : systemClock);
  }

  /** Replaces values that differ between runs with placeholders. */
  #plain(text: string): string {
    const words = [...this.words].filter(([name]) => name !== 'PORT');
    const known = words.reduce((said, [name, value]) => said.replaceAll(value, `$${name}`), text);
    return PLAIN.reduce(
      (said, [pattern, word]) => said.replaceAll(pattern, word),
      known.replaceAll(this.folder, 'FOLDER'),
    );
  }

  #word(typed: string): string {
    const word = typed.replaceAll("'", '').replaceAll('FOLDER', this.folder);
    return word.replace(/\$([A-Z0-9]+)/g, (_, name: string) => this.words.get(name) ?? '');
  }

  #keys(): Record<string, string> {
    return {
      HOLDFAST_TARGET_ACCESS_KEY_ID: this.words.get('KEY') ?? '',
      HOLDFAST_TARGET_SECRET_ACCESS_KEY: this.words.get('SECRET') ?? '',
    };
  }

  #write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true, mode: 0o700 });
    writeFileSync(this.path(path), text.replaceAll('FOLDER', this.folder), { mode: 0o600 });
  }

  /** Creates files and folders that belong to another user. */
  #ofAnother(): void {
    chmodSync(this.path('open.json'), 0o644);
    chmodSync(this.path('bin/systemctl'), 0o700);
    for (const name of ['foreign', 'roots']) mkdirSync(this.path(name), { mode: 0o700 });
    for (const name of ['foreign', 'roots', 'sealed/locked'])
      chownSync(this.path(name), ANOTHER_USER, ANOTHER_USER);
  }

  async #prepare(): Promise<void> {
    const answer = await this.#run('admin credentials --json --show-secret');
    const key = jsonOf(answer.stdout) as Record<string, string>;
    this.words.set('URL', key['endpointUrl'] ?? '');
    this.words.set('PORT', new URL(key['endpointUrl'] ?? '').port);
    this.words.set('KEY', key['accessKeyId'] ?? '');
    this.words.set('SECRET', key['secretAccessKey'] ?? '');
    this.#write('taken/config.yaml', `storage: {port: ${this.words.get('PORT')}}\n`);
    this.words.set('ALIKE', await this.#serve(ALIKE));
    this.words.set('ONLYS3', await this.#serve(ONLY_S3));
    for (const line of OBJECTS) expect((await this.#run(line)).exitCode).toBe(0);
    this.words.set('GOVERNED', await this.#version('a'));
    this.words.set('COMPLIANT', await this.#version('c'));
    for (const job of ['docs', 'letters', 'safe', 'gone', 'held']) await this.#run(`wait ${job}`);
  }

  async #version(key: string): Promise<string> {
    const { stdout } = await this.#run(`s3 versions vault/${key} --json`);
    return (/"versionId":\s*"([^"]+)"/.exec(stdout) ?? [])[1] ?? '';
  }

  async #serve(answer: Answer): Promise<string> {
    const server: Server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#endings.unshift(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Steps of the error tables that are not commands, by name. */
  readonly #steps: Readonly<Record<string, () => unknown>> = {
    'freeze the daemon of cold': async () => {
      this.#frozen = await startDaemonProcess(this.path('cold'));
      await until(
        () => existsSync(this.path('cold/state/daemon.json')),
        (isNoted) => isNoted,
      );
      this.#frozen.process.kill('SIGSTOP');
    },
    'kill the daemon of cold': () => this.#frozen?.kill(),
    'fill the disk': () => fillDisk(this.path('full'), this.path('full/ballast'), 0),
    'lose the folder gone': () => renameSync(this.path('gone'), this.path('gone.lost')),
    'delete all files of held': () => {
      for (let index = 1; index < HELD_FILES; index += 1) rmSync(this.path(`held/${index}`));
    },
  };
}

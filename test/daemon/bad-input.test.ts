/**
 * Tests of user mistakes. The command must exit with the documented code, name the mistake in its
 * message, and change nothing.
 */

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { runCliProcess } from '../helpers/cli-process.ts';
import { makeHome } from '../helpers/daemon-process.ts';
import { runCliHere } from '../helpers/run-cli.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const FIVE_MISTAKES = `storage:
  port: 70000
targets:
  - name: offsite
    endpoint: storage.example.com
jobs:
  - name: photos
    folder: /srv/photos
    bucket: Photos
    paussed: true
    target: offsit
`;

/**
 * Creates a folder with one file. Returns the path of the folder, and the path of a home that does
 * not exist yet.
 */
function fixture() {
  const folder = temporaryFolder('hf-bad');
  const root = join(folder, 'photos');
  mkdirSync(root);
  writeFileSync(join(root, 'file'), 'content');
  const home = join(folder, 'home');
  return { folder, root, home };
}

/**
 * Returns the expected result of a command that must fail. Tests compare the whole result, so that
 * a failed test shows all output.
 */
const refused = (reason: string) => ({
  exitCode: 1,
  stdout: '',
  stderr: expect.stringContaining(reason) as string,
});

describe('a configuration file with five mistakes', () => {
  it.each([
    ['config check', 'stdout'],
    ['service run', 'stderr'],
    ['up --once', 'stderr'],
  ] as const)(
    '`%s` lists all five mistakes of config.yaml with their line numbers',
    async (command, stream) => {
      const { home } = fixture();
      makeHome(home);
      writeFileSync(join(home, 'config.yaml'), FIVE_MISTAKES);
      const result = await runCliHere([...command.split(' '), '--home', home]);
      expect(result.exitCode).toBe(1);
      const places = [...result[stream].matchAll(/(\d+):\d+ (\S+): /g)];
      expect(places.map(([, line, path]) => `${line} ${path}`)).toEqual([
        '2 storage.port',
        '5 targets[0].endpoint',
        '9 jobs[0].bucket',
        '10 jobs[0].paussed',
        '11 jobs[0].target',
      ]);
      expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(FIVE_MISTAKES);
      expect(existsSync(join(home, 'data/store'))).toBe(false);
    },
  );
});

describe('invalid command-line arguments', () => {
  it.each([
    [1, 'the folder does not exist', ['up', 'PHOTOS/none', '--once']],
    [1, 'photos/none: the folder does not exist', ['job', 'add', 'PHOTOS/none']],
    [1, 'photos/file: it is not a folder', ['up', 'PHOTOS/file', '--once']],
    [2, '"Photos"', ['up', 'PHOTOS', '--bucket', 'Photos']],
    [2, '"Photos"', ['s3', 'mb', 'Photos']],
    [2, "unknown command 'upp'", ['upp', 'PHOTOS']],
    [2, "unknown option '--onze'", ['up', 'PHOTOS', '--onze']],
    [2, 'which of these commands', ['job']],
    [2, "missing required argument 'object'", ['s3', 'put', 'PHOTOS/file']],
    [2, 'invalid service "usb"', ['up', 'PHOTOS', '--to', 'usb']],
    [1, 'up FOLDER', ['s3', 'ls']],
    [1, 'up FOLDER', ['s3', 'mb', 'photos']],
    [1, 'up FOLDER', ['s3', 'put', 'PHOTOS/file', 'photos/file']],
    [1, 'up FOLDER', ['s3', 'get', 'photos/file', 'PHOTOS/out']],
    [1, 'no job is configured', ['restore', 'photos', '--to', 'PHOTOS/back']],
    [1, 'up FOLDER', ['status']],
    [1, 'up FOLDER', ['admin', 'credentials', '--env']],
  ] as const)(
    'the program exits with code %i and prints %s for the arguments %j',
    async (exitCode, words, argv) => {
      const { folder, root, home } = fixture();
      const typed = argv.map((each) => each.replace('PHOTOS', root));
      const result = await runCliHere([...typed, '--home', home]);
      expect(result).toMatchObject({ exitCode, stdout: '' });
      expect(result.stderr).toContain(words);
      expect(readdirSync(folder)).toEqual(['photos']);
      expect(readdirSync(root)).toEqual(['file']);
    },
  );
});

describe('a home that the program cannot use', () => {
  it('an error about a read-only home names the folder, and no file is created in the home', async () => {
    const { root, home } = fixture();
    mkdirSync(home);
    chmodSync(home, 0o500);
    for (const place of [home, join(home, 'below')]) {
      const up = await runCliHere(['up', root, '--once', '--home', place]);
      expect(up).toEqual(refused(`cannot prepare folder ${place}: permission denied`));
      expect(up.stderr).toContain('--home DIR');
    }
    expect(readdirSync(home)).toEqual([]);
  });

  it('a home to which other users may write is refused', async () => {
    const { root, home } = fixture();
    mkdirSync(home);
    chmodSync(home, 0o777);
    const up = await runCliHere(['up', root, '--once', '--home', home]);
    expect(up).toEqual(refused(`chmod go-w '${home}'`));
    expect(readdirSync(home)).toEqual([]);
  });

  it('a home whose path is too long for a Unix socket is refused with its path, and is not created', async () => {
    const { folder, root } = fixture();
    const home = join(folder, 'long'.repeat(30));
    const up = await runCliHere(['up', root, '--once', '--home', home]);
    expect(up).toEqual(refused(`cannot open control socket ${home}/control.sock: the path has`));
    expect(readdirSync(folder)).toEqual(['photos']);
  });
});

it('`up` names the program that uses the configured port, suggests solutions, and adds no job', async () => {
  const { root, home } = fixture();
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  makeHome(home, port);
  const before = readFileSync(join(home, 'config.yaml'), 'utf8');
  const up = await runCliHere(['up', root, '--once', '--home', home]);
  expect(up).toEqual(
    refused(`${home}/config.yaml: storage: listen on 127.0.0.1:${port}: the port is in use`),
  );
  expect(up.stderr).toContain(`the port is in use by node (pid ${process.pid})\n`);
  expect(up.stderr).toContain(
    'stop that program, or take a free port: start with --port 0 each time, ' +
      `or write \`storage: {port: 0}\` to ${home}/config.yaml`,
  );
  const detached = await runCliProcess(['up', root, '--detach', '--home', home]);
  expect(detached).toEqual(refused('cannot start the daemon: cannot use'));
  expect(detached.stderr).toContain(
    `start with --port 0 each time, or write \`storage: {port: 0}\` to ${home}/config.yaml`,
  );
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe(before);
  expect(existsSync(join(home, 'control.sock'))).toBe(false);
  const elsewhere = await runCliHere(['up', root, '--once', '--port', '0', '--home', home]);
  expect(elsewhere).toMatchObject({ exitCode: 0 });
  expect(elsewhere.stdout).toContain('in sync');
});

it('an error about a port in use does not blame a config.yaml that does not exist', async () => {
  const { root, home } = fixture();
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const up = await runCliHere(['up', root, '--once', '--port', `${port}`, '--home', home]);
  expect(up).toEqual(
    refused(`cannot use the default settings for ${home}/config.yaml: storage: listen on`),
  );
  expect(up.stderr).toContain(`write \`storage: {port: 0}\` to the new file ${home}/config.yaml`);
  expect(existsSync(join(home, 'config.yaml'))).toBe(false);
});

it('a path of more than 1,024 bytes is reported as a problem, and all other files are backed up', async () => {
  const { root, home } = fixture();
  makeHome(home);
  const deep = Array.from({ length: 6 }, (_, level) => `${level}`.repeat(200)).join('/');
  // The path is too long for a system call, so the shell creates and enters one directory at a
  // time.
  const script = `for part in $(echo ${deep} | tr / ' '); do mkdir $part; cd $part; done; echo x > file`;
  expect(spawnSync('sh', ['-ec', script], { cwd: root }).status).toBe(0);
  const up = await runCliHere(['up', root, '--once', '--home', home]);
  expect(up.exitCode).toBe(3);
  expect(up.stdout).toContain('1 file, ');
  expect(up.stdout).toMatch(/0+\/1+\/2+\/3+\/4+\/5+.*: key-too-long: /);
});

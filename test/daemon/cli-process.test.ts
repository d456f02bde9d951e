/**
 * Tests of the program as a separate process: its version, its exit codes, and its output to a
 * closed pipe.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { dirname } from 'node:path';

import { describe, expect, it } from 'vitest';

import { controlFixture } from '../helpers/control-fixture.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');

function spawnCli(argv: readonly string[], options: { home?: string; execArgv?: string[] } = {}) {
  const env = { ...process.env, HOLDFAST_HOME: options.home ?? temporaryFolder() };
  return spawn(process.execPath, [...(options.execArgv ?? []), MAIN, ...argv], { env });
}

async function result(child: ReturnType<typeof spawnCli>) {
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, stdout, stderr };
}

/**
 * Returns Node options that run `script` before the program. The script simulates another Node
 * version or another platform.
 */
const before = (script: string) => [
  '--import',
  `data:text/javascript,${encodeURIComponent(script)}`,
];

describe('the `holdfast` program', () => {
  it('the program prints its version for --version', async () => {
    const { exitCode, stdout } = await result(spawnCli(['--version']));
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('the program without arguments runs `status`, which suggests `up FOLDER` if no daemon is running', async () => {
    const { exitCode, stderr } = await result(spawnCli([]));
    expect(exitCode).toBe(1);
    expect(stderr).toContain('up FOLDER');
  });

  it.each([
    [
      'an old Node version',
      `Object.defineProperty(process.versions, 'node', {value: '24.20.9'})`,
      'it needs Node 24.21 or newer',
    ],
    ['Windows', `Object.defineProperty(process, 'platform', {value: 'win32'})`, 'WSL'],
  ])('the program refuses to start on %s, and names a solution', async (_, script, words) => {
    const { exitCode, stdout, stderr } = await result(
      spawnCli(['status'], { execArgv: before(script) }),
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(words);
  });

  it('the minimum Node version of the program is the version that its tests use', () => {
    const { engines, devDependencies } = createRequire(import.meta.url)('../../package.json') as {
      engines: { node: string };
      devDependencies: { node: string };
    };
    const [major, minor] = devDependencies.node.split('.');
    expect(engines.node).toBe(`>=${major}.${minor}`);
  });

  it('the program exits without an error message if the reader of its output closes the pipe', async () => {
    const objects = Array.from({ length: 1_000 }, (_, index) => ({
      key: `key-${index}`,
      sizeBytes: 1,
      etag: 'e',
      lastModifiedAt: 0,
    }));
    let pages = 0;
    const { socketPath } = await controlFixture({
      'objects.list': async () => {
        pages += 1;
        return { objects, commonPrefixes: [], nextToken: `${pages}` };
      },
    });
    const child = spawnCli(['s3', 'ls', 'photos'], { home: dirname(socketPath) });
    child.stdout.once('data', () => child.stdout.destroy());
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [exitCode] = (await once(child, 'exit')) as [number | null];
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});

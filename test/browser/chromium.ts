/** Debian's chromium without a window: found, started and ended. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

import { Devtools } from './devtools.ts';
import { Page } from './page.ts';

export const PACKAGE = 'chromium';

/** By the names that distributions give it. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface Browser {
  /** `Chrome/156.0.0.0`. */
  readonly version: string;
  /** A page of its own, which shares nothing with others. */
  open(): Promise<Page>;
  close(): Promise<void>;
}

const FLAGS = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
  '--no-proxy-server',
];

/** A sandbox within a container needs rights that root there does not have. */
const ROOT_FLAGS = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export async function startChromium(path: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), 'holdfast-chromium-'));
  const child = spawn(path, [...FLAGS, ...ROOT_FLAGS, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  const devtools = new Devtools(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const close = async () => {
    child.kill('SIGTERM');
    await exited;
    // Processes of it that end later may still write.
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  try {
    const { product } = await devtools.call('Browser.getVersion');
    return { version: String(product), open: () => Page.open(devtools), close };
  } catch (error) {
    await close();
    throw new Error(`start ${path}: ${said}`, { cause: error });
  }
}

export function aptLine(): string {
  const sudo = process.getuid?.() === 0 ? '' : 'sudo ';
  return `${sudo}apt-get install -y --no-install-recommends ${PACKAGE}`;
}

export function installChromium(): void {
  const { status } = spawnSync('sh', ['-c', aptLine()], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`install ${PACKAGE}: exit code ${status}`);
}

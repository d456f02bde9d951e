/** Finds, starts and stops the Chromium of Debian in headless mode. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

import { Devtools } from './devtools.ts';
import { Page } from './page.ts';

export const PACKAGE = 'chromium';

/** Names of the Chromium program in different distributions. */
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
  /** Product and version of the browser, such as `Chrome/156.0.0.0`. */
  readonly version: string;
  /** Opens a new page that shares no cookies or storage with other pages. */
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

/**
 * Chromium flags for root. The sandbox of Chromium needs capabilities that root does not have in a
 * container.
 */
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
    // Chromium processes that end a little later may still write to the profile, so the removal is
    // retried.
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

/**
 * Starts a daemon that serves websites, in a new home. Checks use it only through commands, as a
 * user does.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { startDaemon } from '../../daemon/main.ts';
import { systemClock } from '../../src/base/clock.ts';
import { resolveHome } from '../../src/config/home.ts';
import type { Result } from '../../src/control/messages.ts';
import { jsonOf, runCli } from '../helpers/run-cli.ts';

export interface Site {
  /** Endpoint URL of the storage API, such as `http://127.0.0.1:PORT`. */
  readonly endpoint: string;
  readonly credentials: Result<'credentials'>;
  /** Returns the website URL of a bucket. It does not end with a slash. */
  readonly websiteOf: (bucket: string) => string;
  /** Runs a `holdfast` command and returns its output. Throws an error if the command fails. */
  readonly holdfast: (...argv: string[]) => Promise<string>;
  /** Stores a text as an object. The name of the object determines its content type. */
  readonly put: (object: string, text: string) => Promise<void>;
  /** Writes a file with this text, and returns the path of the file. */
  readonly file: (name: string, text: string) => string;
  readonly stop: () => Promise<void>;
}

/** Exit code of a command that succeeded but found something that needs the user's attention. */
const ATTENTION = 3;

export async function startSite(folder: string): Promise<Site> {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'config.yaml'), 'storage: {port: 0, website: {port: 0}}\n');
  const daemon = await startDaemon({ home: resolveHome({ homeFlag: home, env: {}, cwd: '/' }) });
  const holdfast = async (...argv: string[]) => {
    const settings = { env: { HOLDFAST_HOME: home }, cwd: folder, clock: systemClock };
    const { exitCode, stdout, stderr } = await runCli(argv, settings);
    if (exitCode === 0 || exitCode === ATTENTION) return stdout;
    throw new Error(`holdfast ${argv.join(' ')}: ${stderr}`);
  };
  const file = (name: string, text: string) => {
    const path = join(folder, 'files', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const returned = await holdfast('admin', 'credentials', '--show-secret', '--json');
  const credentials = jsonOf(returned) as Site['credentials'];
  const status = jsonOf(await holdfast('status', '--json')) as Result<'status'>;
  const port = status.listeners.find(({ name }) => name === 'website')?.port;
  return {
    endpoint: credentials.endpointUrl,
    credentials,
    websiteOf: (bucket) => `http://${bucket}.localhost:${port}`,
    holdfast,
    file,
    put: async (object, text) => {
      await holdfast('s3', 'put', file(object, text), object);
    },
    stop: () => daemon.stop('the browser has seen enough'),
  };
}

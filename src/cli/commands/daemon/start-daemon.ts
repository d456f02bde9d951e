/** Starts a daemon that outlives this process, for `holdfast up --detach`, `holdfast init` and the dashboard. */

import { spawn } from 'node:child_process';

import { loadConfig } from '../../../config/load.ts';
import { homeArguments } from '../../../config/home.ts';
import type { ControlClient } from '../../../control/client.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { endOfLog } from './log.ts';
import { fieldsOf } from '../../output/log-text.ts';
import { MAIN_FILE } from '../../main-file.ts';
import { DAEMON_ENVIRONMENT, V8_FLAGS } from '../../node-options.ts';

const START_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 100;
const NOT_STARTED_HINT = 'to see why: holdfast log';

/**
 * Starts the daemon in a new session and waits until it responds. Rejects if it exits or does not respond in time, and
 * with `ConfigError` if config.yaml is invalid. `port` overrides `storage.port` in config.yaml.
 */
export async function startDaemon(context: Context, port?: number): Promise<void> {
  const home = await context.home();
  // config.yaml is checked here, because the daemon opens its log only after it has read config.yaml, so it could not
  // log an error in it.
  await loadConfig(home);
  const spawnedAt = context.io.clock.now();
  // If an option occurs twice, Node uses the last one. So these options override those of the dashboard.
  const nodeOptions = [...process.execArgv, ...V8_FLAGS];
  const child = spawn(
    process.execPath,
    [
      ...nodeOptions,
      MAIN_FILE,
      ...homeArguments(home),
      'service',
      'run',
      ...(port === undefined ? [] : ['--port', `${port}`]),
    ],
    {
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, ...DAEMON_ENVIRONMENT },
    },
  );
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      const ending: Reason = { error: `it exited immediately with code ${code}` };
      void lastError(home.logFile, spawnedAt).then(
        ({ error, hint = NOT_STARTED_HINT } = ending) => {
          reject(new CommandError('NotStarted', `cannot start the daemon: ${error}`, hint));
        },
      );
    });
  });
  child.unref();
  const client = await Promise.race([ended, answering(context)]);
  client.close();
}

interface Reason {
  readonly error: string;
  /** How to fix the error, if the daemon logged a hint. */
  readonly hint?: string;
}

/**
 * Returns the error in the last line of the log, and its hint. Returns undefined if the line is older than `since` or
 * contains no error.
 */
async function lastError(logFile: string, since: number): Promise<Reason | undefined> {
  // If the log cannot be read, the caller reports only the exit code of the daemon.
  const lines = await endOfLog(logFile).catch(() => []);
  const { time, error, hint } = fieldsOf(lines.at(-1) ?? '') ?? {};
  if (typeof error !== 'string' || Date.parse(String(time)) < since) return undefined;
  return typeof hint === 'string' ? { error, hint } : { error };
}

async function answering(context: Context): Promise<ControlClient> {
  const { clock } = context.io;
  const until = clock.monotonic() + START_WITHIN_MS;
  for (;;) {
    const client = await context.connectIfRunning();
    if (client) return client;
    if (clock.monotonic() > until) {
      throw new CommandError(
        'NotStarted',
        `cannot start the daemon: no response within ${START_WITHIN_MS / 1_000} s`,
      );
    }
    await clock.sleep(LOOK_EVERY_MS);
  }
}

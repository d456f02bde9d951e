/** Implements `holdfast support-bundle`. It writes diagnostic data without secrets to a new folder of text files. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { release, type } from 'node:os';
import { join } from 'node:path';

import { failureReason } from '../../../base/disk-error.ts';
import { errorCode } from '../../../base/errors.ts';
import type { Config } from '../../../config/config.ts';
import { askCredentials } from '../../../config/credentials.ts';
import type { Home } from '../../../config/home.ts';
import { loadConfig } from '../../../config/load.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { examineAll } from '../doctor/doctor.ts';
import { visible } from '../../output/text.ts';
import { ownVersion } from '../../version.ts';
import { publicConfig, redactor } from './redact.ts';

/** The number of log lines to include. A typical daemon writes as many in several hours. */
const LOG_LINES = 5_000;

/**
 * Writes the bundle to the folder and prints the paths of its files. Throws CommandError `Conflict` if the folder
 * exists.
 */
export async function supportBundle(context: Context, typed: string | undefined): Promise<void> {
  const folder = context.path(typed ?? `holdfast-support-${stamp(context.io.clock.now())}`);
  await makeNew(folder);
  const home = await context.home();
  const config = await loadConfig(home).catch((error: unknown) => failureReason(error));
  const redact = redactor(await secretsOf(context, config));
  const parts: Readonly<Record<string, () => unknown>> = {
    'versions.json': () => versions(),
    'config.json': () => (typeof config === 'string' ? { problems: config } : publicConfig(config)),
    'doctor.json': () => examineAll(context),
    'status.json': () => context.withDaemon((daemon) => daemon.call('status', {})),
    'log.jsonl': () => logEnd(home),
  };
  for (const [name, part] of Object.entries(parts))
    await writeFile(join(folder, name), redact(await contentOf(part)), { mode: 0o600 });
  const files = Object.keys(parts).map((name) => join(folder, name));
  if (context.json) return context.out.json({ folder, files });
  await context.out.lines(
    ...files.map((file) => `wrote ${visible(file)}`),
    'the bundle contains names of files, buckets and hosts, but no keys, signatures, comments, paths of webhooks or arguments of commands: read it before you send it',
  );
}

async function makeNew(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const reason = errorCode(error) === 'EEXIST' ? 'it already exists' : failureReason(error);
    throw new CommandError(
      'Conflict',
      `cannot create folder ${folder}: ${reason}`,
      'choose another folder',
      error,
    );
  }
}

/** Returns the text of a part. If the part cannot be collected, returns the reason instead. */
async function contentOf(part: () => unknown): Promise<string> {
  try {
    const value = await part();
    return typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`;
  } catch (error) {
    return `${JSON.stringify({ failed: failureReason(error) })}\n`;
  }
}

function versions() {
  const { node, v8, sqlite } = process.versions;
  const system = { type: type(), release: release(), arch: process.arch };
  return { holdfast: ownVersion(), node, v8, sqlite, system };
}

async function logEnd({ logFile }: Home): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
  return `${lines.slice(-LOG_LINES).join('\n')}\n`;
}

/**
 * Returns the secret keys and session tokens of the embedded store, all targets and all cluster services, so that they
 * can be removed from all files. Omits secrets that cannot be read.
 */
async function secretsOf(context: Context, config: Config | string): Promise<string[]> {
  const { env } = context.io;
  const own = await context
    .withDaemon((daemon) => daemon.call('credentials', {}))
    .catch(() => undefined);
  const secrets = own ? [own.secretAccessKey] : [];
  if (typeof config === 'string') return secrets;
  for (const { credentials } of [...config.targets, ...config.clusters.services]) {
    const key = await askCredentials(credentials, env).catch(() => undefined);
    if (key) secrets.push(key.secretAccessKey, key.sessionToken ?? '');
  }
  return secrets;
}

/** Returns the time in UTC for the name of the folder, such as `20261121-1755`. */
function stamp(now: number): string {
  return new Date(now).toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-');
}

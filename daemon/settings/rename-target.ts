/** Renames a target: its entry in `config.yaml`, the jobs that use it, and the key file that Holdfast wrote for it. */

import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { defined } from '../../src/base/defined.ts';
import { errorCode } from '../../src/base/errors.ts';
import { renameTarget as renameInConfig } from '../../src/config/edit.ts';
import { targetNameSchema } from '../../src/config/schema-words.ts';
import { writeAtomically } from '../../src/config/write-atomically.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Result } from '../../src/control/messages.ts';
import { ownKeyFile } from './remove-target.ts';
import type { Settings } from './settings.ts';

/**
 * Copies the key file, and then writes `config.yaml` once. The daemon uses the old key file before that write, and the
 * copy afterwards. If it throws ControlError `NotFound`, `BadRequest` or `Conflict`, nothing was changed.
 */
export async function renameTarget(
  settings: Settings,
  from: string,
  to: string,
): Promise<Result<'targets.rename'>> {
  const target = settings.target(from);
  const verb = `cannot rename target ${from} to ${to}`;
  if (!target) throw new ControlError('BadRequest', `${verb}: it is the embedded store`);
  const problem = targetNameSchema.safeParse(to).error?.issues[0];
  if (problem) throw new ControlError('BadRequest', `${verb}: the name ${problem.message}`);
  const { targets } = settings.current();
  if (targets.some(({ name }) => name === to))
    throw new ControlError('Conflict', `${verb}: a target ${to} exists already`, {
      hint: 'to list the targets: holdfast target list',
    });
  const { home } = settings;
  const old = ownKeyFile(home, target);
  const isOwn = old !== undefined && basename(old) === `${from}.json`;
  const keyFile = isOwn ? join(home.credentialsDir, `${to}.json`) : undefined;
  const isCopied = keyFile !== undefined && (await copyKey(old, keyFile, verb));
  try {
    await settings.edit(() => renameInConfig(home, { from, to, ...defined({ keyFile }) }));
  } catch (error) {
    if (isCopied && !usesFile(settings, keyFile)) await rm(keyFile, { force: true });
    throw error;
  }
  if (isOwn && !usesFile(settings, old)) await rm(old, { force: true });
  const jobs = settings.current().jobs.filter((job) => job.target === to);
  return { jobs: jobs.map(({ name }) => name), ...defined({ keyFile }) };
}

/** Copies the key file and returns true. If the key file does not exist yet, returns false. */
async function copyKey(old: string | undefined, keyFile: string, verb: string): Promise<boolean> {
  const [key, other] = [await textOf(old), await textOf(keyFile)];
  if (key === undefined) return false;
  if (other !== undefined && other !== key)
    throw new ControlError('Conflict', `${verb}: ${keyFile} exists already, with another key`, {
      hint: `move that file away first: mv '${keyFile}' '${keyFile}.old'`,
    });
  await writeAtomically(keyFile, key);
  return true;
}

async function textOf(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function usesFile(settings: Settings, file: string): boolean {
  return settings.current().targets.some(({ credentials }) => credentials.file === file);
}

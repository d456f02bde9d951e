/**
 * Checks the files of the home folder, the folders of jobs, and their locks. Other users must not read secrets or
 * replace files.
 */

import { accessSync, constants, lstatSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname } from 'node:path';

import { errorCode, errorMessage } from '../../../base/errors.ts';
import { failedFinding, good } from '../../../base/finding.ts';
import type { Finding } from '../../../base/finding.ts';
import type { Config, JobConfig } from '../../../config/config.ts';
import type { Home } from '../../../config/home.ts';
import { shellWord } from '../../output/text.ts';

const OTHERS_WRITE = 0o022;
const OTHERS_AT_ALL = 0o077;

/**
 * Returns findings for paths in the home folder that other users can write to, for secrets that other users can read,
 * and for data that this user cannot write.
 */
export function examineHome(home: Home): readonly Finding[] {
  const check = 'home';
  const { root, configFile, dataDir, stateDir, credentialsDir, socketPath } = home;
  const folders = [root, dirname(configFile), dataDir, stateDir, dirname(socketPath)];
  const found = [
    ...[...new Set(folders)].flatMap((folder) => openTo(check, folder, OTHERS_WRITE)),
    ...openTo(check, configFile, OTHERS_WRITE),
    ...openTo(check, credentialsDir, OTHERS_AT_ALL),
    ...openTo(check, socketPath, OTHERS_AT_ALL),
    ...[dataDir, stateDir].flatMap((folder) => notWritable(check, folder)),
  ];
  return found.length > 0
    ? found
    : [good(check, `${root ?? dataDir}: other users cannot write to it`)];
}

function openTo(check: string, path: string | undefined, mode: number): Finding[] {
  const stats = path === undefined ? undefined : lookAt(path);
  if (path === undefined || stats === undefined || (stats.mode & mode) === 0) return [];
  const [what, right] = mode === OTHERS_WRITE ? ['write to', 'go-w'] : ['read', 'go='];
  const fix = `chmod ${right} ${shellWord(path)}`;
  return [{ check, severity: 'failed', message: `other users may ${what} ${path}`, fix }];
}

function notWritable(check: string, folder: string): Finding[] {
  try {
    if (lookAt(folder) !== undefined) accessSync(folder, constants.W_OK | constants.X_OK);
    return [];
  } catch (error) {
    const message = new Error(`cannot write to ${folder}: ${errorMessage(error)}`);
    return [failedFinding(check, message, `sudo chown -R "$(id -un)" ${shellWord(folder)}`)];
  }
}

function lookAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Returns a finding for the folder of each job: whether it exists and can be read. */
export function examineFolders({ jobs }: Config): readonly Finding[] {
  return jobs.map((job) => examineFolder(job));
}

function examineFolder({ name, folder }: JobConfig): Finding {
  const check = `folder of ${name}`;
  try {
    if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
    accessSync(folder, constants.R_OK | constants.X_OK);
    return good(check, folder);
  } catch (error) {
    if (errorCode(error) === 'EACCES')
      return failedFinding(check, `this user cannot read ${folder}`, accessTo(folder));
    const isGone = errorCode(error) === 'ENOENT';
    const way = `holdfast restore ${name} --in-place # or, if it is no longer wanted: holdfast job remove ${name}`;
    return failedFinding(check, isGone ? `${folder} does not exist` : error, way);
  }
}

/**
 * Returns the command that gives access to the folder. Only the folder's owner may change the mode, so other users
 * need an ACL.
 */
function accessTo(folder: string): string {
  const word = shellWord(folder);
  const isOwn = lookAt(folder)?.uid === process.geteuid?.();
  return isOwn ? `chmod u+rx ${word}` : `sudo setfacl -R -m "u:$(id -un):rX" ${word}`;
}

/**
 * Returns a finding for each job whose locks could lapse. After a due renewal, these locks last for less than one
 * renewal interval.
 */
export function examineLocks({ jobs }: Config): readonly Finding[] {
  return jobs.flatMap(({ name, lock }) => {
    if (lock === undefined || lock.days >= lock.refreshDays) return [];
    const { mode, days, refreshDays } = lock;
    const message =
      `locks are renewed every ${refreshDays} days and end ${days} days later: ` +
      `they lapse if the machine is off for longer than ${days} days`;
    const fix = `holdfast job edit ${name} 'lock={mode: ${mode}, days: ${refreshDays * 4}, refreshDays: ${refreshDays}}'`;
    return [{ check: `locks of ${name}`, severity: 'attention', message, fix }];
  });
}

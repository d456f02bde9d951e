/**
 * Lists the files of the systemd services. Each file has a path where `holdfast service install` writes it, and a path
 * in a Holdfast package.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { errorCode } from '../../../base/errors.ts';
import type { ServiceFile } from './manager.ts';
import type { Program } from './program-place.ts';
import {
  packagedText,
  storeFilesText,
  storeUnit,
  storeUserText,
  STORE_UNIT,
  USER_UNIT,
  userUnit,
  type UserUnit,
} from './systemd-units.ts';

/** The name of the files that systemd-sysusers and systemd-tmpfiles read. */
export const SYSTEM_CONFIGURATION = 'holdfast.conf';

/** Returns the unit file of a user service. `folder` contains the user's own units. */
export function userFile(folder: string, unit: UserUnit): ServiceFile {
  return {
    path: join(folder, USER_UNIT),
    packagedPath: join('/usr/lib/systemd/user', USER_UNIT),
    text: userUnit(unit),
  };
}

/** Returns the files of the machine's store. */
export function storeFiles(program: Program): ServiceFile[] {
  const file = (folder: string, name: string, text: string) => ({
    path: join('/etc', folder, name),
    packagedPath: join('/usr/lib', folder, name),
    text,
  });
  return [
    file('sysusers.d', SYSTEM_CONFIGURATION, storeUserText()),
    file('tmpfiles.d', SYSTEM_CONFIGURATION, storeFilesText()),
    file('systemd/system', STORE_UNIT, storeUnit(program)),
  ];
}

/**
 * Returns whether an installed package contains the file with the same settings. The package updates its file with each
 * version. A file at `path` would hide the packaged file from systemd.
 */
export async function isPackaged({ packagedPath, text }: ServiceFile): Promise<boolean> {
  if (packagedPath === undefined) return false;
  try {
    return (await readFile(packagedPath, 'utf8')) === packagedText(text);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

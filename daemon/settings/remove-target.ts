/**
 * Removes a target that no job uses: its entry in `config.yaml`, and the credentials file that Holdfast wrote for it.
 */

import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { TargetConfig } from '../../src/config/config.ts';
import { removeTarget } from '../../src/config/edit.ts';
import type { Home } from '../../src/config/home.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Settings } from './settings.ts';

/**
 * Removes the target. Returns the path of the deleted credentials file, if any. Throws ControlError `NotFound`,
 * `Conflict` if a job uses the target, and `BadRequest` for the embedded store.
 */
export async function forgetTarget(settings: Settings, name: string): Promise<string | undefined> {
  const target = settings.target(name);
  if (!target)
    throw new ControlError('BadRequest', `cannot remove target ${name}: it is the embedded store`);
  const user = settings.current().jobs.find((job) => job.target === name);
  if (user)
    throw new ControlError('Conflict', `cannot remove target ${name}: job ${user.name} uses it`, {
      hint: `to remove the job first: holdfast job remove ${user.name}`,
    });
  await settings.edit((home) => removeTarget(home, name));
  // The file is deleted last. A crash may leave an unused file, but never a target without its key.
  const file = ownKeyFile(settings.home, target);
  const isShared = settings.current().targets.some((each) => each.credentials.file === file);
  if (file === undefined || isShared) return undefined;
  await rm(file, { force: true });
  return file;
}

/**
 * Returns the target's key file in the home folder. Returns undefined for a file elsewhere, because that file belongs
 * to the user.
 */
export function ownKeyFile(
  { credentialsDir }: Pick<Home, 'credentialsDir'>,
  { credentials: { file } }: Pick<TargetConfig, 'credentials'>,
): string | undefined {
  return file !== undefined && dirname(file) === credentialsDir ? file : undefined;
}

/** Detects that `--config` specifies a different configuration file than the daemon uses. */

import { realpathSync } from 'node:fs';

import type { Home } from '../config/home.ts';
import { ControlError } from '../control/control-error.ts';
import type { MethodName } from '../control/messages.ts';
import { visible } from './output/text.ts';

/** The methods that change or reload the configuration file of the daemon. */
const OF_CONFIG: ReadonlySet<MethodName> = new Set<MethodName>([
  'config.reload',
  'jobs.add',
  'jobs.edit',
  'jobs.pause',
  'jobs.remove',
  'jobs.resume',
  'targets.add',
  'targets.remove',
  'targets.rename',
]);

/**
 * Returns the configuration file of the daemon if the command specifies a different file. Otherwise, or if the daemon
 * does not report its file, returns undefined.
 */
export function otherConfigFile(home: Home, ofDaemon: string | undefined): string | undefined {
  if (!home.hasOwnConfig || ofDaemon === undefined) return undefined;
  return realOf(ofDaemon) === realOf(home.configFile) ? undefined : ofDaemon;
}

/** Throws ControlError `Conflict` for a method that would change `other`, the daemon's file. */
export function refuseOtherFile(home: Home, other: string, method: MethodName): void {
  if (!OF_CONFIG.has(method)) return;
  const message = `cannot change ${home.configFile}: the daemon uses ${other}`;
  const hint =
    'to change the file of the daemon: repeat the command without this option or HOLDFAST_CONFIG; ' +
    'to use the other file: holdfast down, then holdfast up';
  throw new ControlError('Conflict', message, { hint });
}

/** Returns the remark for a command that does not change the configuration. */
export function otherFileText(home: Home, other: string): string {
  return `note: the daemon uses ${visible(other)}, not ${visible(home.configFile)}`;
}

/** Resolves symbolic links. Returns the path itself if it does not exist. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

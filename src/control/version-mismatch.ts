/** What both ends say when they do not speak the same version. */

import { ControlError } from './control-error.ts';

export function versionMismatch(versions: {
  readonly client: number;
  readonly daemon: number;
  /** Of the daemon's release. */
  readonly daemonRelease: string;
}): ControlError {
  const { client, daemon, daemonRelease } = versions;
  const message =
    `talk to the daemon: it speaks version ${daemon} of the control protocol ` +
    `(release ${daemonRelease}), this client speaks version ${client}`;
  const hint =
    daemon < client
      ? 'the daemon is the older one: run `holdfast down`, then `holdfast up`'
      : 'this command is the older one: update it';
  return new ControlError('VersionMismatch', message, { hint });
}

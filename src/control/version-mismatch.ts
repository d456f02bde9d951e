/** Declares the version of the control protocol, and the error if the client and the daemon have different versions. */

import { ControlError } from './control-error.ts';

/** Increased when the meaning of a message changes. A client of another version gets an error and stops. */
export const PROTOCOL_VERSION = 2;

export function versionMismatch(versions: {
  readonly client: number;
  readonly daemon: number;
  /** Version of the daemon's release. */
  readonly daemonRelease: string;
}): ControlError {
  const { client, daemon, daemonRelease } = versions;
  const message =
    `cannot use the daemon: it has version ${daemon} of the control protocol ` +
    `(release ${daemonRelease}), and this client has version ${client}`;
  const hint =
    daemon < client
      ? 'the daemon is older: run `holdfast down`, then `holdfast up`'
      : 'this command is older: update it';
  return new ControlError('VersionMismatch', message, { hint });
}

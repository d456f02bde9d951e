/** Defines the version of the control protocol, and the error for a client and a daemon with different versions. */

import { ControlError } from './control-error.ts';

/**
 * The protocol version. It increases when the meaning of a message changes. A client with another version fails with an
 * error.
 */
export const PROTOCOL_VERSION = 2;

export function versionMismatch(versions: {
  readonly client: number;
  readonly daemon: number;
  /** The Holdfast version of the daemon. */
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

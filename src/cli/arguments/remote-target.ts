/**
 * Reads the options of `up --to`, and the credentials for the remote service from a file or the environment.
 * Credentials are never command-line arguments, because `ps` shows arguments.
 */

import { defined } from '../../base/defined.ts';
import type { Credentials } from '../../config/credentials.ts';
import type { Protocol } from '../../config/schema-words.ts';
import type { Params } from '../../control/messages.ts';
import { CommandError, usageError } from '../output/command-error.ts';
import { DEFAULT_REGION, type ServicePlace } from './service-place.ts';

/** Where a command reads the access key of a remote service from. At most one source may be given. */
export interface CredentialOptions {
  readonly credentials?: string;
  readonly profile?: string;
  readonly credentialsCommand?: string;
}

export type RemoteTarget = Params<'targets.add'>;

interface Asked {
  /** The value of the option `--to` as typed. */
  readonly to: string | undefined;
  /** The service and the destination that it specifies. */
  readonly service: ServicePlace | undefined;
  readonly protocol: Protocol | undefined;
  readonly region: string | undefined;
  /** The absolute path of a file with CA certificates. */
  readonly caFile: string | undefined;
  /** The access key, and the options that specified its source. If absent, the key is read from the environment. */
  readonly key?: Credentials | undefined;
  readonly keyOptions?: CredentialOptions;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the names of the given options, such as `--region --ca-file`. */
export function flagsOf(options: Readonly<Record<string, unknown>>): string {
  const given = Object.keys(options).filter((name) => options[name] !== undefined);
  return given
    .map((name) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
    .join(' ');
}

/**
 * The environment variables for credentials, in the order in which they are read. Holdfast's own variables come first.
 */
const CREDENTIALS = [
  [
    'HOLDFAST_TARGET_ACCESS_KEY_ID',
    'HOLDFAST_TARGET_SECRET_ACCESS_KEY',
    'HOLDFAST_TARGET_SESSION_TOKEN',
  ],
  ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
] as const;

/**
 * Returns the parameters of `targets.add`. Returns undefined if `--to` is absent. Throws a usage error if other options
 * are given without `--to`. Throws CommandError `NoCredentials` or `KeyEnds`.
 */
export function remoteTarget(asked: Asked, env: Environment): RemoteTarget | undefined {
  const { to, service, key, keyOptions, ...details } = asked;
  if (service === undefined) {
    const flags = flagsOf({ ...details, ...keyOptions });
    if (flags === '') return undefined;
    throw usageError(
      `cannot use ${flags} without --to PLACE`,
      `name the service: --to https://HOST ${flags} …`,
    );
  }
  const verb = `cannot back up to ${to}`;
  const { endpoint, region, regionFrom } = service;
  const known = defined({ region: regionFrom === DEFAULT_REGION.regionFrom ? undefined : region });
  const secret = lasting(key ?? credentialsFrom(env, verb), verb);
  return defined({ endpoint, ...details, ...known, ...secret });
}

/**
 * Returns the credentials for a job without a session token. Throws CommandError `KeyEnds` if they have one, because a
 * job needs long-term credentials. `verb` is the start of the message.
 */
export function lasting({ sessionToken, ...key }: Credentials, verb: string) {
  if (sessionToken === undefined) return key;
  throw new CommandError(
    'KeyEnds',
    `${verb}: the access key is temporary, and a job needs a long-term one`,
    'use a long-term key, or set a source of current keys in config.yaml: credentials: {profile: NAME}',
  );
}

/**
 * Returns the credentials from the environment. Throws CommandError `NoCredentials`. `verb` is the start of the
 * message.
 */
export function credentialsFrom(env: Environment, verb: string): Credentials {
  for (const [id, secret, token] of CREDENTIALS) {
    const [accessKeyId, secretAccessKey] = [env[id], env[secret]];
    if (accessKeyId && secretAccessKey)
      return defined({ accessKeyId, secretAccessKey, sessionToken: env[token] || undefined });
    if (accessKeyId || secretAccessKey) {
      throw missing(`${verb}: only one of ${id} and ${secret} is set`);
    }
  }
  throw missing(`${verb}: the environment has no credentials for it`);
}

function missing(message: string): CommandError {
  const [[id, secret], [awsId, awsSecret]] = CREDENTIALS;
  return new CommandError(
    'NoCredentials',
    message,
    `set ${id} and ${secret}, or ${awsId} and ${awsSecret}, or name a file that has them: --credentials FILE`,
  );
}

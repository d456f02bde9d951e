/** The remote service that `up --to` names, with credentials from the environment: an argument would show in `ps`. */

import { defined } from '../base/defined.ts';
import { type Credentials, readCredentials } from '../config/credentials.ts';
import type { Params } from '../control/messages.ts';
import { CommandError, usageError } from './command-error.ts';

export type RemoteTarget = Params<'targets.add'>;

interface Asked {
  readonly to: string | undefined;
  readonly dialect: 'svc' | 'amz' | undefined;
  readonly region: string | undefined;
  /** Absolute. */
  readonly caFile: string | undefined;
  /** A file, absolute; else the environment has them. */
  readonly credentials?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** First those that are meant for us alone. */
const CREDENTIALS = [
  [
    'HOLDFAST_TARGET_ACCESS_KEY_ID',
    'HOLDFAST_TARGET_SECRET_ACCESS_KEY',
    'HOLDFAST_TARGET_SESSION_TOKEN',
  ],
  ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
] as const;

export function remoteTarget(asked: Asked, env: Environment): RemoteTarget | undefined {
  const { to, credentials, ...details } = asked;
  if (to === undefined) {
    if (Object.values({ ...details, credentials }).every((each) => each === undefined))
      return undefined;
    throw usageError(
      'mirror folder: --dialect, --region, --ca-file and --credentials say something of --to ENDPOINT',
    );
  }
  const verb = `mirror to ${to}`;
  const endpoint = endpointOf(to, 'mirror to');
  const key = credentials ? readCredentials(credentials) : credentialsFrom(env, verb);
  return defined({ endpoint, ...details, ...lasting(key, verb) });
}

/** Of a key that is to be kept with a job. Throws CommandError `KeyEnds` for one of a session. */
export function lasting({ sessionToken, ...key }: Credentials, verb: string) {
  if (sessionToken === undefined) return key;
  throw new CommandError(
    'KeyEnds',
    `${verb}: this key ends with its session, and a job goes on`,
    'give a lasting key, or let config.yaml say where the newest one is: credentials: {profile: NAME}',
  );
}

export function endpointOf(text: string, verb: string): string {
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/';
  if (isOrigin && url.search + url.hash + url.username + url.password === '') return url.origin;
  throw usageError(
    `${verb} "${text}": it is no endpoint`,
    'write http://HOST:PORT or https://HOST, without a path',
  );
}

/** `verb` says what they are for. Throws CommandError `NoCredentials`. */
export function credentialsFrom(env: Environment, verb: string): Credentials {
  for (const [id, secret, token] of CREDENTIALS) {
    const [accessKeyId, secretAccessKey] = [env[id], env[secret]];
    if (accessKeyId && secretAccessKey)
      return defined({ accessKeyId, secretAccessKey, sessionToken: env[token] || undefined });
    if (accessKeyId || secretAccessKey) {
      throw missing(`${verb}: of ${id} and ${secret} only one is set`);
    }
  }
  throw missing(`${verb}: no credentials for it in the environment`);
}

function missing(message: string): CommandError {
  const [id, secret] = CREDENTIALS[0];
  return new CommandError('NoCredentials', message, `set ${id} and ${secret}`);
}

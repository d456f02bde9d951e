/**
 * Starts the built daemon in a new home with an HTTP and an HTTPS listener. Reads its settings as a
 * user does.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeCertificate } from '../helpers/certificate.ts';
import { CLI, startDaemonProcess } from '../helpers/daemon-process.ts';
import { jsonOf } from '../helpers/run-cli.ts';
import { runCommand } from './command.ts';
import type { Outcome } from './command.ts';

export type Transport = 'http' | 'https';

export interface Service {
  readonly transport: Transport;
  /** Endpoint URL of the service, such as `http://127.0.0.1:PORT`. */
  readonly endpoint: string;
  /** Host and port of the service, such as `127.0.0.1:PORT`. */
  readonly host: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /**
   * Home of the daemon, in which commands run. Undefined, like `websites` and `clusters`, if only the endpoint of the
   * store is known.
   */
  readonly home?: string;
  /** URL of the listener that serves buckets as websites, such as `http://127.0.0.1:PORT`. */
  readonly websites?: string;
  /** URL of the cluster service, such as `http://127.0.0.1:PORT`. */
  readonly clusters?: string;
  readonly guest?: Guest;
  /** Path of the CA certificate that verifies the service. Undefined if the transport is HTTP. */
  readonly caFile?: string;
}

/** A user of another project. This user has only the permissions that others grant. */
export interface Guest {
  /** Access key id, which is also the id of the storage user. */
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Grantee that represents the whole project. */
  readonly project: string;
  /**
   * E-mail address of the project. Some tools treat every grantee that contains `@` as an e-mail
   * address.
   */
  readonly email: string;
}

export interface RunningService {
  readonly services: readonly Service[];
  /** Stops the daemon. Throws an error if the daemon does not stop normally. */
  stop(): Promise<void>;
}

/**
 * Base domain of virtual-hosted-style requests. curl resolves all names below `.localhost` to this
 * computer, but no TLS library accepts a certificate for `*.localhost`.
 */
const BASE_NAME = 'store.localhost';

export async function startService(folder: string): Promise<RunningService> {
  const home = join(folder, 'home');
  const certFile = makeHome(home);
  const daemon = await startDaemonProcess(home);
  const stop = async (): Promise<void> => {
    const code = await daemon.stop();
    if (code !== 0) throw new Error(`stop the daemon: exit code ${code}`);
  };
  try {
    return { services: await readServices(home, certFile), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Creates a home with a configuration and a certificate. Returns the path of the self-signed
 * certificate.
 */
function makeHome(home: string): string {
  mkdirSync(home, { mode: 0o700 });
  const file = (name: string, content: string): string => {
    writeFileSync(join(home, name), content, { mode: 0o600 });
    return join(home, name);
  };
  const names = ['localhost', BASE_NAME, `*.${BASE_NAME}`];
  const { cert, key } = makeCertificate({ names });
  const certFile = file('cert.pem', cert);
  const tls = { port: 0, certFile, keyFile: file('key.pem', key) };
  // The project needs a high quota, because all tools create their buckets in it and keep them
  // until the end.
  const quotas = { bucketsPerProject: 1000 };
  const storage = { port: 0, baseNames: [BASE_NAME], website: { port: 0 }, tls, quotas };
  const seconds = {
    createCluster: 0,
    deleteCluster: 0,
    createNodegroup: 0,
    deleteNodegroup: 0,
    batch: 0,
  };
  file('config.yaml', JSON.stringify({ storage, clusters: { port: 0, seconds } }));
  return certFile;
}

async function readServices(home: string, caFile: string): Promise<Service[]> {
  const said = await credentials(home);
  const identity = {
    region: said('AWS_DEFAULT_REGION'),
    accessKeyId: said('AWS_ACCESS_KEY_ID'),
    secretAccessKey: said('AWS_SECRET_ACCESS_KEY'),
    home,
    websites: await listenerOf(home, 'website'),
    clusters: await listenerOf(home, 'clusters'),
    guest: await inviteGuest(home),
  };
  const at = (endpoint: string) => ({ endpoint, host: new URL(endpoint).host, ...identity });
  return [
    { transport: 'http', ...at(said('AWS_ENDPOINT_URL')) },
    { transport: 'https', ...at(said('HOLDFAST_TLS_ENDPOINT_URL')), caFile },
  ];
}

async function listenerOf(home: string, wanted: string): Promise<string> {
  const { stdout } = await holdfast(home, 'status', '--json');
  type Status = { listeners: { name: string; url: string }[] };
  const { listeners } = jsonOf(stdout.toString()) as Status;
  const url = listeners.find(({ name }) => name === wanted)?.url;
  if (url === undefined) throw new Error(`read status: no ${wanted}`);
  return url;
}

async function inviteGuest(home: string): Promise<Guest> {
  const accessKeyId = 'films:eve@local';
  const email = 'films@example.com';
  await holdfast(home, 'admin', 'projects', 'add', 'films', '--email', email);
  await holdfast(home, 'admin', 'users', 'add', 'films:eve');
  const said = await credentials(home, '--key', accessKeyId);
  const secretAccessKey = said('AWS_SECRET_ACCESS_KEY');
  return { accessKeyId, secretAccessKey, project: 'films@local', email };
}

/**
 * Reads the credentials as `holdfast admin credentials` recommends: a shell evaluates the printed
 * lines.
 */
async function credentials(home: string, ...options: string[]): Promise<(name: string) => string> {
  const script =
    'node=$1; shift; eval "$("$node" "$@")" && "$node" -p "JSON.stringify(process.env)"';
  const command = [
    process.execPath,
    CLI,
    'admin',
    'credentials',
    '--env',
    '--home',
    home,
    ...options,
  ];
  const { stdout } = await succeed('sh', ['-c', script, 'sh', ...command]);
  const env = JSON.parse(stdout.toString()) as Record<string, string>;
  return (name) => {
    const value = env[name];
    if (value === undefined) throw new Error(`read credentials: no ${name}`);
    return value;
  };
}

function holdfast(home: string, ...args: string[]): Promise<Outcome> {
  return succeed(process.execPath, [CLI, ...args, '--home', home]);
}

async function succeed(command: string, args: readonly string[]): Promise<Outcome> {
  const outcome = await runCommand(command, args, { env: process.env });
  if (outcome.code !== 0) throw new Error(`run ${outcome.line}: ${outcome.stderr}`);
  return outcome;
}

/**
 * Returns the endpoint of virtual-hosted-style requests, `http://BUCKET.store.localhost:PORT`, with
 * or without a bucket.
 */
export function virtualEndpoint({ transport, host }: Service, bucket?: string): string {
  const port = host.replace(/.*:/, '');
  return `${transport}://${bucket === undefined ? '' : `${bucket}.`}${BASE_NAME}:${port}`;
}

/**
 * The processes in a soak run: the daemon with the job, and the service that stores the backup. The same daemon can do
 * both.
 */

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import type { SignedClient } from '../../src/client/signed-client.ts';
import type { Result } from '../../src/control/messages.ts';
import { amzDialect } from '../../src/protocol/dialect.ts';
import { makeHome, startDaemonProcess } from '../helpers/daemon-process.ts';
import type { DaemonProcess } from '../helpers/daemon-process.ts';
import type { Acknowledged } from './foreign-life.ts';
import { readAcknowledged } from './mirror-state.ts';
import { RoughNetwork } from './rough-network.ts';

export const BUCKET = 'soaked';
export const JOB = 'soaked';
export const FOREIGN_USER = 'stranger';

export type Variant = 'embedded' | 'remote';
export type SoakedBucket = 'unversioned' | 'versioned' | 'object-lock';

export interface MachineOptions {
  /** The path of an empty folder. The path `homes` may be on another disk. */
  readonly folder: string;
  readonly homes: string;
  readonly variant: Variant;
  readonly bucket: SoakedBucket;
  readonly drift: 'report' | 'enforce';
}

export type Credentials = Result<'credentials'>;

export class Machines {
  readonly root: string;
  /** The home of the daemon that runs the job. */
  readonly home: string;
  /** The proxy between the two daemons in the variant `remote`. Undefined in the variant `embedded`. */
  readonly network: RoughNetwork | undefined;
  /**
   * A client with the bucket owner's access key. Like `stranger`, this client works again when the service restarts
   * after a kill.
   */
  readonly owner: SignedClient;
  readonly stranger: SignedClient;
  readonly credentials: Credentials;
  readonly bucket: SoakedBucket;
  /** The versions that the job had recorded as uploaded when its daemon was killed, by key and version id. */
  readonly acknowledged = new Map<string, Acknowledged>();
  /** The home of the daemon with the store. */
  readonly serviceHome: string;
  readonly #clockFile: string;
  #mirror: DaemonProcess | undefined;
  #service: DaemonProcess | undefined;

  private constructor(parts: {
    readonly options: MachineOptions;
    readonly credentials: Credentials;
    readonly stranger: Credentials;
    readonly network: RoughNetwork | undefined;
  }) {
    const { options, credentials, stranger, network } = parts;
    this.root = join(options.folder, 'root');
    this.home = join(options.homes, 'home');
    this.#clockFile = join(options.folder, 'clock');
    this.serviceHome = serviceHome(options);
    this.network = network;
    this.credentials = credentials;
    this.bucket = options.bucket;
    this.owner = connect(credentials);
    this.stranger = connect(stranger);
  }

  /**
   * Starts the service with the bucket and a second user who has write permission. Does not start the daemon with the
   * job.
   */
  static async set(options: MachineOptions): Promise<Machines> {
    mkdirSync(join(options.folder, 'root'));
    const { credentials, stranger } = await prepareService(options);
    const port = Number(new URL(credentials.endpointUrl).port);
    const isRemote = options.variant === 'remote';
    const network = isRemote ? await RoughNetwork.open(port) : undefined;
    makeHome(serviceHome(options), port);
    const machines = new Machines({ options, credentials, stranger, network });
    machines.setClock(0);
    writeJob(options, { machines, port: isRemote ? 0 : port });
    return machines;
  }

  get client(): DaemonProcess['client'] {
    if (!this.#mirror) throw new Error('call daemon: the daemon is not running');
    return this.#mirror.client;
  }

  async start(): Promise<void> {
    await this.startService();
    const NODE_OPTIONS = `--import=${join(import.meta.dirname, 'offset-clock.ts')}`;
    const env = { ...process.env, NODE_OPTIONS, HOLDFAST_SOAK_CLOCK: this.#clockFile };
    this.#mirror ??= await startDaemonProcess(this.home, { env });
  }

  async startService(): Promise<void> {
    if (this.network) this.#service ??= await startDaemonProcess(this.serviceHome);
  }

  /** Kills the daemon with SIGKILL, and reads which versions the job had recorded as uploaded. */
  async kill(): Promise<void> {
    const mirror = this.#mirror;
    this.#mirror = undefined;
    if (!mirror) return;
    await mirror.kill();
    for (const each of readAcknowledged(this.home, JOB))
      this.acknowledged.set(`${each.key} ${each.versionId}`, each);
  }

  async killService(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    await service?.kill();
  }

  /** Sets the clock of the job's daemon ahead by this number of milliseconds. */
  setClock(aheadMs: number): void {
    writeFileSync(`${this.#clockFile}~`, String(aheadMs));
    renameSync(`${this.#clockFile}~`, this.#clockFile);
  }

  async close(): Promise<void> {
    await this.owner.close();
    await this.stranger.close();
    await this.kill();
    await this.killService();
    await this.network?.close();
  }
}

function serviceHome({ variant, homes }: MachineOptions): string {
  return join(homes, variant === 'remote' ? 'service' : 'home');
}

async function prepareService(
  options: MachineOptions,
): Promise<{ readonly credentials: Credentials; readonly stranger: Credentials }> {
  const daemon = await startDaemonProcess(serviceHome(options));
  try {
    const objectLock = options.bucket === 'object-lock';
    const versioning = options.bucket !== 'unversioned';
    await daemon.client.call('buckets.create', { bucket: BUCKET, versioning, objectLock });
    const { accessKeyId } = await daemon.client.call('users.add', {
      user: FOREIGN_USER,
      fullAccess: true,
      again: false,
    });
    const credentials = await daemon.client.call('credentials', {});
    return { credentials, stranger: await daemon.client.call('credentials', { accessKeyId }) };
  } finally {
    await daemon.stop();
  }
}

/** Writes the configuration for the job's daemon. It is JSON, which is also valid YAML. */
function writeJob(
  { bucket, drift }: MachineOptions,
  { machines, port }: { readonly machines: Machines; readonly port: number },
): void {
  const { root, home, network, credentials } = machines;
  const { accessKeyId, secretAccessKey, region } = credentials;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const credentialsFile = join(home, 'service-credentials.json');
  writeFileSync(credentialsFile, JSON.stringify({ accessKeyId, secretAccessKey }), { mode: 0o600 });
  const target = network && {
    name: 'service',
    endpoint: network.endpoint,
    region,
    protocol: 's3',
    credentialsFile,
  };
  const job = {
    name: JOB,
    folder: root,
    bucket: BUCKET,
    target: target?.name ?? 'local',
    drift,
    ...(bucket === 'object-lock' && { lock: { mode: 'GOVERNANCE', days: 1, refreshDays: 1 } }),
  };
  const config = { storage: { port }, targets: target ? [target] : [], jobs: [job] };
  writeFileSync(join(home, 'config.yaml'), JSON.stringify(config), { mode: 0o600 });
}

function connect({ endpointUrl: endpoint, region, ...credentials }: Credentials): SignedClient {
  const common = { dialect: amzDialect, clock: systemClock, logger: silentLogger };
  return openSignedClient({ endpoint, region, credentials, ...common });
}

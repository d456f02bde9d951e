/**
 * Opens the clients of the targets. All jobs and handlers share one client for each combination of target, access key
 * and CA file.
 */

import { defined } from '../../src/base/defined.ts';
import type { Logger } from '../../src/base/logger.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import type { SignedClient, SignedClientOptions } from '../../src/client/signed-client.ts';
import { readCaFile } from '../../src/config/ca-file.ts';
import type { TargetConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import type { Credentials } from '../../src/config/credentials.ts';
import { isStorageError } from '../../src/object-store/storage-error.ts';
import type { BucketPlace, ComposeOptions, TargetEndpoint } from '../services/rooms.ts';
import { TargetDialects } from '../services/target-dialects.ts';
import { TargetKeys } from '../services/target-keys.ts';

export class TargetClients {
  readonly keys: TargetKeys;
  readonly dialects: TargetDialects;
  /** Called when a service rejects the access key of a target. */
  onKeyRefused = (): void => undefined;
  readonly #options: ComposeOptions;
  readonly #clients = new Map<string, SignedClient>();

  constructor(options: ComposeOptions) {
    this.#options = options;
    this.keys = new TargetKeys(process.env, options.clock);
    this.dialects = new TargetDialects(options.config.vendor);
  }

  /** Returns the client of a target. Throws ConfigError if its access key or CA file cannot be read. */
  of(target: TargetConfig): SignedClient {
    const credentials = this.keys.get(target);
    const ca = target.caFile && readCaFile(target.caFile);
    const key = JSON.stringify([target, credentials, ca]);
    const known = this.#clients.get(key);
    if (known) return known;
    const client = this.#connect(target, credentials);
    this.#clients.set(key, client);
    return client;
  }

  /** Returns the access key ID of a target and, if the service reports it, the key's owner. */
  async whoIsAt(
    target: TargetConfig,
  ): Promise<{ readonly accessKeyId: string; readonly owner?: string }> {
    const { accessKeyId } = this.keys.get(target);
    return { accessKeyId, ...defined({ owner: await this.of(target).findOwner() }) };
  }

  /**
   * Checks credentials with a request to the service. The request lists the objects at `place` or, without `place`, all
   * buckets. Rejects if the service does not respond or rejects the credentials. Returns whether the bucket of `place`
   * exists.
   */
  async check(
    target: TargetEndpoint,
    credentials: Credentials,
    place: BucketPlace | undefined,
  ): Promise<boolean | undefined> {
    const client = this.#connect(target, credentials);
    try {
      if (place) return await canList(client, place);
      await client.listBuckets();
      return undefined;
    } finally {
      await client.close();
    }
  }

  async close(): Promise<void> {
    for (const client of this.#clients.values()) await client.close();
  }

  #connect(target: TargetEndpoint, credentials: Credentials): SignedClient {
    const { home, clock, logger } = this.#options;
    return connectTo(target, credentials, {
      home,
      dialect: this.dialects.of(target),
      clock,
      logger: logger.area('client'),
      onKeyRefused: () => this.onKeyRefused(),
    });
  }
}

/** Returns whether the bucket exists. Rejects if the access key has no permission to list the prefix. */
async function canList(client: SignedClient, { bucket, prefix }: BucketPlace): Promise<boolean> {
  try {
    await client.listObjects({ bucket, prefix, maxKeys: 1 });
    return true;
  } catch (error) {
    if (isStorageError(error, 'NoSuchBucket')) return false;
    throw error;
  }
}

/** Creates a client. Throws ConfigError if the CA file, or a proxy from the environment, cannot be used. */
export function connectTo(
  { name, endpoint, region, addressing, caFile, proxy }: TargetEndpoint,
  credentials: Credentials,
  options: Pick<ComposeOptions, 'clock' | 'home'> & {
    readonly logger: Logger;
    readonly dialect: SignedClientOptions['dialect'];
    readonly onKeyRefused?: () => void;
  },
): SignedClient {
  const { home, ...how } = options;
  const ca = caFile && readCaFile(caFile);
  const way = { addressing, environment: process.env, ...defined({ proxy, ca }) };
  try {
    return openSignedClient({ endpoint, region, credentials, ...how, ...way });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const problem = { path: `targets.${name}`, message: error.message };
    throw new ConfigError(home.configFile, [problem], { verb: 'cannot use', cause: error });
  }
}

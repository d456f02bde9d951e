/** The only place that constructs the rooms: store, identity, gateway, clients of remote services, mirrors. */

import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../src/base/clock.ts';
import { defined } from '../src/base/defined.ts';
import { DAY_MS, SECOND_MS } from '../src/base/durations.ts';
import type { Logger } from '../src/base/logger.ts';
import { once } from '../src/base/once.ts';
import type { UserNames, UserPrincipal } from '../src/base/principal.ts';
import { openSignedClient } from '../src/client/signed-client.ts';
import type { SignedClient, SignedClientOptions } from '../src/client/signed-client.ts';
import type { Config, TargetConfig } from '../src/config/config.ts';
import { readCaFile } from '../src/config/ca-file.ts';
import { ConfigError } from '../src/config/config-error.ts';
import type { Credentials } from '../src/config/credentials.ts';
import type { Home } from '../src/config/home.ts';
import { type Engine, openEngine } from '../src/engine/engine.ts';
import type { EngineOptions } from '../src/engine/engine-options.ts';
import type { UpkeepSettings } from '../src/engine/maintenance/settings.ts';
import { readUptime } from '../src/engine/clock/uptime.ts';
import { openGateway } from '../src/gateway/gateway.ts';
import { openWebsites } from '../src/gateway/website/website.ts';
import { openSqliteIdentity, type SqliteIdentity } from '../src/identity/sqlite-identity.ts';
import { internalCaller } from '../src/object-store/caller.ts';
import { isStorageError } from '../src/object-store/storage-error.ts';
import { composeClusters } from './compose-clusters.ts';
import type { AreaLogger } from './log.ts';
import { openBucketMonitoring } from './bucket-monitoring.ts';
import { hostIdOf } from './host-id.ts';
import { Links } from './links.ts';
import { placementOfEndpoint, placementOfStore } from './placement.ts';
import { RequestCounter } from './request-counter.ts';
import { serveStorage, type Listening, type WebsiteListening } from './storage-gateway.ts';
import type { BucketPlace, Rooms, TargetEndpoint } from './rooms.ts';
import { TargetDialects } from './target-dialects.ts';
import { TargetKeys } from './target-keys.ts';

export interface ComposeOptions {
  readonly home: Home;
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: AreaLogger;
}

export function openIdentity(home: Home, clock: Clock): SqliteIdentity {
  return openSqliteIdentity({ path: identityFile(home), clock });
}

export function storeFolder({ dataDir }: Home): string {
  return join(dataDir, 'store');
}

/** A store by itself, to be looked after: nothing happens in it unasked. Throws `OpenStoreError`. */
export function openStore({
  config,
  ...place
}: Pick<EngineOptions, 'dir' | 'clock' | 'logger' | 'acceptMetadata'> & {
  readonly config: Config;
}): Promise<Engine> {
  const { region } = config;
  const upkeep = upkeepSettings(config);
  return openEngine({ ...place, region, upkeep, uptime: readUptime, passive: true });
}

function upkeepSettings({ storage: { upkeep } }: Config): UpkeepSettings {
  return {
    scrubEveryMs: upkeep.scrubDays * DAY_MS,
    scrubBytesPerSecond: upkeep.scrubMegabytesPerSecond * 1e6,
    maxClockJumpMs: (upkeep.maxClockJumpHours * DAY_MS) / 24,
    ...(upkeep.lifecycleDaySeconds !== undefined && {
      lifecycleDayMs: upkeep.lifecycleDaySeconds * SECOND_MS,
    }),
  };
}

export function identityFile({ dataDir }: Home): string {
  return join(dataDir, 'identity.sqlite');
}

/** The first user of the embedded store is who runs Holdfast. */
export function ownUser(): { readonly user: string } {
  return { user: userInfo().username };
}

/** Names of the buckets that a user owns. */
export async function bucketsOfUser(
  engine: Pick<Engine, 'as'>,
  user: UserNames,
  clock: Clock,
): Promise<readonly string[]> {
  const principal: UserPrincipal = { ...user, kind: 'user', fullAccess: true };
  const owned = await engine.as(internalCaller(principal, clock.now())).listBuckets();
  return owned.map(({ name }) => name);
}

/** Opens everything, or closes again what it had opened and throws. */
export async function compose(options: ComposeOptions): Promise<Rooms> {
  const closers: (() => void | Promise<void>)[] = [];
  // Each is closed, whatever becomes of the others: the store must not stay open for a failed listener.
  const close = async () => {
    const failures: unknown[] = [];
    for (const each of closers.splice(0).reverse()) {
      try {
        await each();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'close daemon: a part failed');
  };
  try {
    return await open(options, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  { home, config, clock, logger }: ComposeOptions,
  closers: (() => void | Promise<void>)[],
  close: () => Promise<void>,
): Promise<Rooms> {
  const { region } = config;
  // The engine comes first: its lock is what keeps a second daemon from this home.
  const engine = await openEngine({
    dir: storeFolder(home),
    clock,
    uptime: readUptime,
    logger: logger.area('store'),
    region,
    // Asked when a list or a policy is put, which is when all is open.
    grantees: {
      exists: (id) => identity.grantees.exists(id),
      findByEmail: (email) => identity.grantees.findByEmail(email),
    },
    upkeep: upkeepSettings(config),
    quotas: config.storage.quotas,
  });
  closers.push(() => engine.close());
  const { metrics } = engine;
  const monitoring = openBucketMonitoring({
    home,
    metrics,
    clock,
    logger: logger.area('monitoring'),
  });
  closers.push(() => monitoring.close());
  const requests = new RequestCounter();
  const identity = openSqliteIdentity({ path: identityFile(home), clock, soleWriter: true });
  closers.push(() => identity.close());
  const principal = identity.ensureFirstUser(ownUser());
  const store = engine.as(internalCaller(principal, clock.now()));
  const targetDialects = new TargetDialects(config.vendor);
  const dialects = targetDialects.all;
  const links = await Links.open({
    file: join(home.dataDir, 'link-secret'),
    dialect: dialects.svc,
    region,
    clock,
    store: (caller) => engine.as(caller),
    bucketIdOf: (bucket) => engine.bucketId(bucket),
  });
  const openStorage = async (listening: Listening) => {
    const gateway = await openGateway({
      store: (caller) => engine.as(caller),
      accessOf: (caller) => engine.accessOf(caller),
      browserConfig: engine.browserConfig,
      identity: identity.keys,
      links: links.keys,
      dialects,
      ...listening,
      onAnswered: (operation, status) => requests.count(operation, status),
      region,
      clock,
      logger: logger.area('gateway'),
    });
    closers.push(() => gateway.close());
    return gateway;
  };
  const openWebsiteListener = async (listening: WebsiteListening) => {
    const websites = await openWebsites({
      store: (caller) => engine.as(caller),
      browserConfig: engine.browserConfig,
      dialect: dialects.svc,
      ...listening,
      clock,
      logger: logger.area('gateway'),
    });
    closers.push(() => websites.close());
    return websites;
  };
  const storage = await serveStorage({
    storage: config.storage,
    home,
    clock,
    open: openStorage,
    openWebsites: openWebsiteListener,
  });
  const clients = new Map<string, SignedClient>();
  closers.push(async () => {
    for (const client of clients.values()) await client.close();
  });
  const keys = new TargetKeys(process.env, clock);
  let keyRefused = (): void => undefined;
  const connect = (target: TargetEndpoint, credentials: Credentials) =>
    connectTo(target, credentials, {
      home,
      dialect: targetDialects.of(target),
      clock,
      logger: logger.area('client'),
      onKeyRefused: () => keyRefused(),
    });
  const clientOf = (target: TargetConfig) => {
    const credentials = keys.get(target);
    const ca = target.caFile && readCaFile(target.caFile);
    const key = JSON.stringify([target, credentials, ca]);
    const known = clients.get(key);
    if (known) return known;
    const client = connect(target, credentials);
    clients.set(key, client);
    return client;
  };
  const clusters = await composeClusters({
    home,
    region,
    dialects,
    principal,
    clock,
    logger: logger.area('clusters'),
    config: config.clusters,
    identity: identity.keys,
    keys,
    onKeyRefused: () => keyRefused(),
  });
  closers.push(() => clusters.close());
  const hostId = await hostIdOf(home);
  // The mirror is a third of the code, and a daemon without jobs does not load it.
  const jobOpener = once(async () => {
    const { JobOpener } = await import('./job-opener.ts');
    const storeDir = storeFolder(home);
    return new JobOpener({ home, config, storeDir, engine, hostId, clock, logger });
  });
  return {
    store,
    upkeep: engine.upkeep,
    metrics,
    monitoring,
    lifecycle: engine.lifecycle,
    clusters,
    requests,
    waitingWrites: () => engine.waitingWrites(),
    identity,
    bucketsOf: (user) => bucketsOfUser(engine, user, clock),
    explainAccess: (inquiry) => engine.explainAccess(inquiry),
    principal,
    hostId,
    links,
    quotas: engine.quotas,
    storage,
    publicStore: engine.as(internalCaller({ kind: 'anonymous' }, clock.now())),
    storeOf: (target) => (target ? clientOf(target) : store),
    placementOf: (folder, target) =>
      target ? placementOfEndpoint(target.endpoint) : placementOfStore(folder, storeFolder(home)),
    jobStore: (target) =>
      target ? { store: clientOf(target) } : engine.watched(internalCaller(principal, clock.now())),
    clientOf,
    protocolOf: (target) => targetDialects.protocolOf(target),
    keys,
    onKeyRefused(heard) {
      keyRefused = heard;
    },
    async whoIsAt(target) {
      const { accessKeyId } = keys.get(target);
      return { accessKeyId, ...defined({ owner: await clientOf(target).findOwner() }) };
    },
    async checkTarget(target, credentials, place) {
      const client = connect(target, credentials);
      try {
        if (place) return await canList(client, place);
        await client.listBuckets();
        return undefined;
      } finally {
        await client.close();
      }
    },
    openJob: async (job, hooks) => (await jobOpener()).open(job, hooks),
    close,
  };
}

/** Returns whether the bucket exists. Rejects if the key has no permission to list the prefix. */
async function canList(client: SignedClient, { bucket, prefix }: BucketPlace): Promise<boolean> {
  try {
    await client.listObjects({ bucket, prefix, maxKeys: 1 });
    return true;
  } catch (error) {
    if (isStorageError(error, 'NoSuchBucket')) return false;
    throw error;
  }
}

/** Throws ConfigError for a file of certificates, or a proxy of the environment, that cannot be used. */
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

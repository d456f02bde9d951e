/**
 * Opens the embedded store and its users, both for the daemon and for commands that run without a
 * daemon.
 */

import { userInfo } from 'node:os';
import { join } from 'node:path';

import type { Clock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/base/durations.ts';
import type { UserNames, UserPrincipal } from '../../src/base/principal.ts';
import type { Config } from '../../src/config/config.ts';
import { storeFolder } from '../../src/config/home.ts';
import type { Home } from '../../src/config/home.ts';
import { readUptime } from '../../src/engine/clock/uptime.ts';
import { type Engine, openEngine } from '../../src/engine/engine.ts';
import type { EngineOptions } from '../../src/engine/engine-options.ts';
import type { UpkeepSettings } from '../../src/engine/maintenance/settings.ts';
import { openSqliteIdentity, type SqliteIdentity } from '../../src/identity/sqlite-identity.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import type { Closers, ComposeOptions, Rooms } from '../services/rooms.ts';

export interface OwnStore {
  readonly engine: Engine;
  /** The parts of the store and its users that the rest of the daemon uses. */
  readonly shared: Pick<
    Rooms,
    | 'bucketsOf'
    | 'explainAccess'
    | 'identity'
    | 'lifecycle'
    | 'metrics'
    | 'principal'
    | 'publicStore'
    | 'quotas'
    | 'store'
    | 'storeDir'
    | 'upkeep'
    | 'waitingWrites'
  >;
}

/** Opens the daemon's store, and adds functions that close it to `closers`. */
export async function openOwnStore(
  { home, config, clock, logger }: ComposeOptions,
  closers: Closers,
): Promise<OwnStore> {
  const storeDir = storeFolder(home);
  const engine = await openEngine({
    dir: storeDir,
    clock,
    uptime: readUptime,
    logger: logger.area('store'),
    region: config.region,
    // The store calls these functions only when a client writes an ACL or a policy. By that time, `identity` is open.
    grantees: {
      exists: (id) => identity.grantees.exists(id),
      findByEmail: (email) => identity.grantees.findByEmail(email),
    },
    upkeep: upkeepSettings(config),
    quotas: config.storage.quotas,
  });
  closers.push(() => engine.close());
  const identity = openSqliteIdentity({ path: identityFile(home), clock, soleWriter: true });
  closers.push(() => identity.close());
  const principal = identity.ensureFirstUser(ownUser());
  const { upkeep, metrics, lifecycle, quotas } = engine;
  const shared = {
    store: engine.as(internalCaller(principal, clock.now())),
    storeDir,
    publicStore: engine.as(internalCaller({ kind: 'anonymous' }, clock.now())),
    identity,
    principal,
    upkeep,
    metrics,
    lifecycle,
    quotas,
    waitingWrites: () => engine.waitingWrites(),
    bucketsOf: (user: UserNames) => bucketsOfUser(engine, user, clock),
    explainAccess: engine.explainAccess.bind(engine),
  };
  return { engine, shared };
}

/** Opens a store for maintenance. The store starts no background work. Throws `OpenStoreError`. */
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

export function openIdentity(home: Home, clock: Clock): SqliteIdentity {
  return openSqliteIdentity({ path: identityFile(home), clock });
}

export function identityFile({ dataDir }: Pick<Home, 'dataDir'>): string {
  return join(dataDir, 'identity.sqlite');
}

function upkeepSettings({ storage: { upkeep } }: Config): UpkeepSettings {
  return {
    scrubEveryMs: upkeep.scrubDays * DAY_MS,
    scrubBytesPerSecond: upkeep.scrubMegabytesPerSecond * 1e6,
    maxClockJumpMs: upkeep.maxClockJumpHours * HOUR_MS,
    ...(upkeep.lifecycleDaySeconds !== undefined && {
      lifecycleDayMs: upkeep.lifecycleDaySeconds * SECOND_MS,
    }),
  };
}

/**
 * Returns the name of the embedded store's first user. It is the name of the Unix user that runs
 * Holdfast.
 */
export function ownUser(): { readonly user: string } {
  return { user: userInfo().username };
}

/** Returns the names of the buckets that a user owns. */
export async function bucketsOfUser(
  engine: Pick<Engine, 'as'>,
  user: UserNames,
  clock: Clock,
): Promise<readonly string[]> {
  const principal: UserPrincipal = { ...user, kind: 'user', fullAccess: true };
  const owned = await engine.as(internalCaller(principal, clock.now())).listBuckets();
  return owned.map(({ name }) => name);
}

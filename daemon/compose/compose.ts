/** Constructs the parts of the daemon: store, users, gateways, clients of targets, and jobs. */

import { join } from 'node:path';

import { once } from '../../src/base/once.ts';
import { internalCaller } from '../../src/object-store/caller.ts';
import { openBucketMonitoring } from '../services/bucket-monitoring.ts';
import { composeClusters } from './compose-clusters.ts';
import { composeStorage } from './compose-storage.ts';
import { openOwnStore } from './compose-store.ts';
import { hostIdOf } from '../state/host-id.ts';
import { Links } from '../services/links.ts';
import { placementOfEndpoint, placementOfStore } from '../services/placement.ts';
import { RequestCounter } from '../metrics/request-counter.ts';
import type { Closers, ComposeOptions, Rooms } from '../services/rooms.ts';
import { TargetClients } from './target-clients.ts';

/** Opens all parts of the daemon. If one fails, closes the parts that are already open, and throws. */
export async function compose(options: ComposeOptions): Promise<Rooms> {
  const closers: Closers = [];
  // Every part is closed even if closing an earlier part fails. For example, the store must not stay open because a
  // listener cannot be closed.
  const close = async () => {
    const failures: unknown[] = [];
    for (const each of closers.splice(0).reverse()) {
      try {
        await each();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0)
      throw new AggregateError(
        failures,
        'cannot close the daemon cleanly: a component failed to close',
      );
  };
  try {
    return { ...(await open(options, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(options: ComposeOptions, closers: Closers): Promise<Omit<Rooms, 'close'>> {
  const { home, config, clock, logger } = options;
  const { region } = config;
  // The engine is opened first, because its lock prevents a second daemon in this home folder.
  const own = await openOwnStore(options, closers);
  const { engine, shared } = own;
  const { store, storeDir, principal, identity, metrics } = shared;
  const monitoring = openBucketMonitoring({
    home,
    metrics,
    clock,
    logger: logger.area('monitoring'),
  });
  closers.push(() => monitoring.close());
  const requests = new RequestCounter();
  const clients = new TargetClients(options);
  closers.push(() => clients.close());
  const { keys } = clients;
  const dialects = clients.dialects.all;
  const links = await Links.open({
    file: join(home.dataDir, 'link-secret'),
    dialect: dialects.svc,
    region,
    clock,
    store: (caller) => engine.as(caller),
    bucketIdOf: (bucket) => engine.bucketId(bucket),
  });
  const storage = await composeStorage({ ...options, ...own, links, requests, dialects }, closers);
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
    onKeyRefused: () => clients.onKeyRefused(),
  });
  closers.push(() => clusters.close());
  const hostId = await hostIdOf(home);
  // `src/mirror` is loaded for the first job, because it is a third of the code and a daemon without jobs does not
  // need it.
  const jobOpener = once(async () => {
    const { JobOpener } = await import('./job-opener.ts');
    return new JobOpener({ home, config, storeDir, engine, hostId, clock, logger });
  });
  return {
    ...shared,
    monitoring,
    clusters,
    requests,
    hostId,
    links,
    storage,
    keys,
    storeOf: (target) => (target ? clients.of(target) : store),
    placementOf: (folder, target) =>
      target ? placementOfEndpoint(target.endpoint) : placementOfStore(folder, storeDir),
    jobStore: (target) =>
      target
        ? { store: clients.of(target) }
        : engine.watched(internalCaller(principal, clock.now())),
    clientOf: (target) => clients.of(target),
    protocolOf: (target) => clients.dialects.protocolOf(target),
    onKeyRefused(heard) {
      clients.onKeyRefused = heard;
    },
    whoIsAt: (target) => clients.whoIsAt(target),
    checkTarget: (target, credentials, place) => clients.check(target, credentials, place),
    openJob: async (job, hooks) => (await jobOpener()).open(job, hooks),
  };
}

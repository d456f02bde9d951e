/** Opens the gateways of the embedded store: storage and websites. */

import { openGateway } from '../../src/gateway/gateway.ts';
import { openWebsites } from '../../src/gateway/website/website.ts';
import type { Dialects } from '../../src/protocol/header-families.ts';
import type { OwnStore } from './compose-store.ts';
import type { Links } from '../services/links.ts';
import type { RequestCounter } from '../metrics/request-counter.ts';
import type { Closers, ComposeOptions } from '../services/rooms.ts';
import { serveStorage, type StorageGateway } from '../services/storage-gateway.ts';

interface ComposeStorageOptions extends ComposeOptions, OwnStore {
  readonly links: Links;
  readonly requests: RequestCounter;
  readonly dialects: Dialects;
}

/** Opens the gateways. Throws ConfigError for an address or a certificate that cannot be used. */
export function composeStorage(
  {
    home,
    config,
    clock,
    engine,
    shared,
    links,
    requests,
    dialects,
    ...logs
  }: ComposeStorageOptions,
  closers: Closers,
): Promise<StorageGateway> {
  const logger = logs.logger.area('gateway');
  return serveStorage({
    storage: config.storage,
    home,
    clock,
    open: async (listening) => {
      const gateway = await openGateway({
        store: (caller) => engine.as(caller),
        accessOf: (caller) => engine.accessOf(caller),
        browserConfig: engine.browserConfig,
        identity: shared.identity.keys,
        links: links.keys,
        dialects,
        ...listening,
        onAnswered: (operation, status) => requests.count(operation, status),
        region: config.region,
        clock,
        logger,
      });
      closers.push(() => gateway.close());
      return gateway;
    },
    openWebsites: async (listening) => {
      const websites = await openWebsites({
        store: (caller) => engine.as(caller),
        browserConfig: engine.browserConfig,
        dialect: dialects.svc,
        ...listening,
        clock,
        logger,
      });
      closers.push(() => websites.close());
      return websites;
    },
  });
}

/** Runs the contract tests of ObjectStore against a real radosgw, using the signed client. */

import { silentLogger } from '../../src/base/logger.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import { amzDialect } from '../../src/protocol/dialect.ts';
import { inject } from 'vitest';
import type { OpenStore } from '../contract/object-store/subject.ts';
import { testObjectStore } from '../contract/object-store.ts';

/**
 * Region in the signatures. radosgw accepts any region there, and returns `default` as its own
 * region.
 */
const REGION = 'us-east-1';

async function openCeph(): Promise<OpenStore> {
  const { endpoint, owner, stranger } = inject('ceph');
  const open = (credentials: typeof owner) =>
    openSignedClient({
      endpoint,
      region: REGION,
      dialect: amzDialect,
      credentials,
      clock: systemClock,
      logger: silentLogger,
    });
  const [store, other] = [open(owner), open(stranger)];
  const close = async () => {
    await store.close();
    await other.close();
  };
  return { people: { owner: 'owner', stranger: 'stranger' }, store, stranger: other, close };
}

testObjectStore('radosgw', openCeph, { region: REGION });

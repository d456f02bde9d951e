/**
 * Runs the contract tests of `ObjectStore` on the signed S3 client, through the gateway and the engine. With x-amz-
 * headers all tests run. With x-svc- headers only the tests run that use vendor headers, because nothing else
 * differs.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { silentLogger } from '../../src/base/logger.ts';
import { principalId } from '../../src/base/principal.ts';
import type { UserPrincipal } from '../../src/base/principal.ts';
import { openSignedClient } from '../../src/client/signed-client.ts';
import { openEngine } from '../../src/engine/engine.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import type { AccessKey } from '../../src/identity/identity.ts';
import { amzDialect, svcDialect } from '../../src/protocol/dialect.ts';
import type { Dialect } from '../../src/protocol/dialect.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { COLLEAGUE, OWNER, PEOPLE, STRANGER } from './object-store/people.ts';
import { MIN_PART_BYTES, type OpenStore } from './object-store/subject.ts';
import { testObjectStore, testSecondDialect } from './object-store.ts';

const REGION = 'us-east-1';
/** More buckets than the tests create. */
const MAX_BUCKETS = 10_000;
const DIALECTS = { svc: svcDialect(), amz: amzDialect };

const keyOf = (principal: UserPrincipal): AccessKey => ({
  accessKeyId: principalId(principal),
  secretAccessKey: `secret of ${principal.user}`,
  principal,
});
const KEYS = new Map([OWNER, COLLEAGUE, STRANGER].map((each) => [principalId(each), keyOf(each)]));

async function openStack(dialect: Dialect): Promise<OpenStore> {
  const dir = await mkdtemp(join(tmpdir(), 'holdfast-client-'));
  const [clock, logger, region] = [new FakeClock(), silentLogger, REGION];
  const quotas = { bucketsPerProject: MAX_BUCKETS, minBytesPerPart: MIN_PART_BYTES };
  const engine = await openEngine({ dir, clock, logger, region, quotas, uptime: () => undefined });
  const gateway = await openGateway({
    store: (caller) => engine.as(caller),
    accessOf: (caller) => engine.accessOf(caller),
    identity: { findKey: (accessKeyId) => KEYS.get(accessKeyId) },
    dialects: DIALECTS,
    host: '127.0.0.1',
    port: 0,
    region,
    clock,
    logger,
  });
  const open = (principal: UserPrincipal) => {
    const credentials = keyOf(principal);
    return openSignedClient({ endpoint: gateway.url, region, dialect, credentials, clock, logger });
  };
  const [store, colleague, stranger] = [open(OWNER), open(COLLEAGUE), open(STRANGER)];
  const close = async () => {
    await Promise.all([store, colleague, stranger].map((each) => each.close()));
    await gateway.close();
    await engine.close();
    await rm(dir, { recursive: true });
  };
  return { people: PEOPLE, store, colleague, stranger, clock, isTemporary: true, close };
}

const named = ({ name }: Dialect) => `the client over HTTP with x-${name}- headers`;

testObjectStore(named(amzDialect), () => openStack(amzDialect), { region: REGION });
testSecondDialect(named(DIALECTS.svc), () => openStack(DIALECTS.svc));

/**
 * Fuzz tests that send randomly changed requests of all operations. The service must respond to each request, and
 * only a signed request may change anything.
 */

import * as fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';

import { openFuzzService, type FuzzService } from '../helpers/fuzz/fuzz-service.ts';
import {
  brokenRequests,
  fuzzedRequests,
  holdToLaw,
  holdToRawLaw,
} from '../helpers/fuzz/socket-law.ts';

/** A fixed seed, so that each run sends the same requests. `npm run test:fuzz` uses other seeds. */
const SEED = 20_261_121;
const RUNS = 350;
const RAW_RUNS = 200;

let service: FuzzService;
beforeAll(async () => {
  service = await openFuzzService();
});
afterAll(() => service.close());

test('a randomly changed request causes no server error and changes nothing that its signature does not cover', async () => {
  const property = fc.asyncProperty(fuzzedRequests, (request) => holdToLaw(service, request));
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
});

test('random bytes that resemble HTTP cause no server error in the gateway', async () => {
  const property = fc.asyncProperty(brokenRequests, (request) => holdToRawLaw(service, request));
  await fc.assert(property, { seed: SEED, numRuns: RAW_RUNS });
});

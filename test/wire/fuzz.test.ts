/** Edited requests of every operation over connections: each is answered, and nothing unasked for happens. */

import * as fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';

import { openFuzzService, type FuzzService } from '../helpers/fuzz/fuzz-service.ts';
import {
  brokenRequests,
  fuzzedRequests,
  holdToLaw,
  holdToRawLaw,
} from '../helpers/fuzz/socket-law.ts';

/** Always the same ones: `npm run test:fuzz` tries others. */
const SEED = 20_261_121;
const RUNS = 350;
const RAW_RUNS = 200;

let service: FuzzService;
beforeAll(async () => {
  service = await openFuzzService();
});
afterAll(() => service.close());

test('a request is answered without a failure of ours, and does what was signed for at most', async () => {
  const property = fc.asyncProperty(fuzzedRequests, (request) => holdToLaw(service, request));
  await fc.assert(property, { seed: SEED, numRuns: RUNS });
});

test('bytes that are hardly HTTP bring about no failure of ours', async () => {
  const property = fc.asyncProperty(brokenRequests, (request) => holdToRawLaw(service, request));
  await fc.assert(property, { seed: SEED, numRuns: RAW_RUNS });
});

/** `npm run test:fuzz -- --minutes N [--seed S]`: the laws of the fuzz tests with random seeds; a failure names its seed. */

import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

import * as fc from 'fast-check';

import { systemClock } from '../src/base/clock.ts';
import { FORM_LAWS } from './helpers/fuzz/form-laws.ts';
import { openFuzzService } from './helpers/fuzz/fuzz-service.ts';
import type { Law } from './helpers/fuzz/law.ts';
import { MESSAGE_LAWS } from './helpers/fuzz/message-laws.ts';
import {
  brokenRequests,
  fuzzedRequests,
  holdToLaw,
  holdToRawLaw,
} from './helpers/fuzz/socket-law.ts';
import { TEXT_LAWS } from './helpers/fuzz/text-laws.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '5' }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
if (!(minutes > 0))
  throw new Error(`read --minutes ${values.minutes}: it must be a number above 0`);

const service = await openFuzzService();
const socketLaw: Law = {
  claim: 'a request is answered without a failure of ours, and does what was signed for at most',
  runs: 200,
  property: fc.asyncProperty(fuzzedRequests, (request) => holdToLaw(service, request)),
};
const rawLaw: Law = {
  claim: 'bytes that are hardly HTTP bring about no failure of ours',
  runs: 200,
  property: fc.asyncProperty(brokenRequests, (request) => holdToRawLaw(service, request)),
};
const laws: readonly Law[] = [...TEXT_LAWS, ...MESSAGE_LAWS, ...FORM_LAWS, socketLaw, rawLaw];

let seed = 0;
process.on('uncaughtExceptionMonitor', () => process.stderr.write(`failed with --seed ${seed}\n`));

const endsAt = systemClock.now() + minutes * 60_000;
const tried = new Map<string, number>();
do {
  seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  for (const { claim, property, runs } of laws) {
    const outcome = await fc.check(property, { seed, numRuns: runs });
    tried.set(claim, (tried.get(claim) ?? 0) + outcome.numRuns);
    if (!outcome.failed) continue;
    process.stderr.write(
      `${claim}\nfailed with --seed ${seed}\n${fc.defaultReportMessage(outcome) ?? ''}\n`,
    );
    process.exit(1);
  }
} while (values.seed === undefined && systemClock.now() < endsAt);
await service.close();
for (const [claim, count] of tried)
  process.stdout.write(`${String(count).padStart(9)}  ${claim}\n`);

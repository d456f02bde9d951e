/**
 * `npm run test:fuzz -- --minutes N [--seed S]`: runs the fuzz tests with random seeds. A failure
 * prints its seed. With `--time`, it searches for inputs that exceed a CPU budget, minimises each
 * of them and saves it in `--folder`. `--target NAME` limits the search to this target, and can be
 * repeated. `--input FILE` runs a saved input again.
 */

import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import * as fc from 'fast-check';

import { systemClock } from '../src/base/clock.ts';
import { FORM_LAWS } from './helpers/fuzz/form-laws.ts';
import { openFuzzService, type FuzzService } from './helpers/fuzz/fuzz-service.ts';
import type { Law } from './helpers/fuzz/law.ts';
import { MESSAGE_LAWS } from './helpers/fuzz/message-laws.ts';
import {
  brokenRequests,
  fuzzedRequests,
  holdToLaw,
  holdToRawLaw,
} from './helpers/fuzz/socket-law.ts';
import { lawOf } from './helpers/fuzz/target.ts';
import { serviceTargets } from './helpers/fuzz/targets/service-targets.ts';
import { FUZZ_TARGETS } from './helpers/fuzz/targets/targets.ts';
import { TEXT_LAWS } from './helpers/fuzz/text-laws.ts';
import { judgeTimes, replay } from './helpers/fuzz/time-judge.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string' },
    time: { type: 'boolean', default: false },
    target: { type: 'string', multiple: true },
    folder: { type: 'string', default: join(tmpdir(), 'holdfast-fuzz') },
    input: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0))
  throw new Error(`read --minutes ${values.minutes}: it must be a number above 0`);

const service = await openFuzzService();
const isGood =
  values.time || values.input !== undefined ? await searchTimes(service) : await checkLaws(service);
await service.close();
if (!isGood) process.exitCode = 1;

async function searchTimes(running: FuzzService): Promise<boolean> {
  const all = [...FUZZ_TARGETS, ...(await serviceTargets(running))];
  if (values.input !== undefined) return replay(all, values.input);
  const targets = all.filter(({ name }) => values.target?.includes(name) ?? true);
  if (targets.length === 0)
    throw new Error(`read --target: there are ${all.map(({ name }) => name).join(', ')}`);
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  const { folder } = values;
  const findings = await judgeTimes(targets, { seed, minutes, folder });
  process.stdout.write(`${findings} of ${targets.length} targets fail with --seed ${seed}\n`);
  return findings === 0;
}

async function checkLaws(running: FuzzService): Promise<boolean> {
  const laws: readonly Law[] = [
    ...TEXT_LAWS,
    ...MESSAGE_LAWS,
    ...FORM_LAWS,
    ...FUZZ_TARGETS.map(lawOf),
    {
      claim:
        'every request gets a status below 500 or 501, and only a signed request succeeds or changes the store',
      runs: 200,
      property: fc.asyncProperty(fuzzedRequests, (request) => holdToLaw(running, request)),
    },
    {
      claim: 'a request with edited bytes causes no internal error of the service',
      runs: 200,
      property: fc.asyncProperty(brokenRequests, (request) => holdToRawLaw(running, request)),
    },
  ];
  let seed = 0;
  process.on('uncaughtExceptionMonitor', () =>
    process.stderr.write(`failed with --seed ${seed}\n`),
  );
  const endsAt = systemClock.now() + minutes * 60_000;
  const tried = new Map<string, number>();
  do {
    seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
    for (const { claim, property, runs } of laws) {
      const outcome = await fc.check(property, { seed, numRuns: runs });
      tried.set(claim, (tried.get(claim) ?? 0) + outcome.numRuns);
      if (!outcome.failed) continue;
      process.stderr.write(
        `${claim}\nfailed with --seed ${seed}\n${fc.defaultReportMessage(outcome) ?? ''}\n${String(outcome.errorInstance)}\n`,
      );
      return false;
    }
  } while (values.seed === undefined && systemClock.now() < endsAt);
  for (const [claim, count] of tried)
    process.stdout.write(`${String(count).padStart(9)}  ${claim}\n`);
  return true;
}

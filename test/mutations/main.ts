/**
 * `npm run test:mutations`: breaks each access rule once and checks that the property tests fail. Prints the result
 * for each rule; the exit code is 1 if a broken rule was not detected. `--every N` tests only each Nth rule, `--only
 * TEXT` only rules that contain the text.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { silentLogger } from '../../src/base/logger.ts';
import type { openEngine as OpenEngine } from '../../src/engine/engine.ts';
import type { Caller } from '../../src/object-store/caller.ts';
import { type AccessRules, checkAccessLaw } from '../helpers/access-law.ts';
import { checkEngineLaw } from '../helpers/engine-access-law.ts';
import { FakeClock } from '../helpers/fake-clock.ts';
import { actionMutations } from './actions.ts';
import { ENGINE_MUTATIONS } from './engine.ts';
import { Mutant, type Mutation } from './mutation.ts';
import { RULE_MUTATIONS } from './rules.ts';

const RUNS = 60_000;
const CASES = 800;
const SEED = 11;

/** Property test of a mutant: throws if it detects the broken rule. */
type Law = (mutant: Mutant, mutation: Mutation) => Promise<void>;

const ofRules: Law = async (mutant) => {
  const decide = await mutant.load<Pick<AccessRules, 'decideAccess' | 'decideMissing'>>(
    'object-store/rules/access/decide.ts',
  );
  const policy = await mutant.load<Pick<AccessRules, 'parsePolicy'>>(
    'object-store/rules/access/parse-policy.ts',
  );
  checkAccessLaw({ ...decide, ...policy }, { runs: RUNS, seed: SEED, endOnFailure: true });
};

const ofEngine: Law = async (mutant, { focus = {} }) => {
  const { openEngine } = await mutant.load<{ openEngine: typeof OpenEngine }>('engine/engine.ts');
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-mutant-store-'));
  const clock = new FakeClock();
  const engine = await openEngine({
    dir,
    clock,
    logger: silentLogger,
    region: 'us-east-1',
    quotas: { bucketsPerProject: 1e6 },
    passive: true,
    uptime: () => undefined,
  });
  try {
    const bound = { as: (caller: Caller) => engine.as(caller), now: () => clock.now() };
    await checkEngineLaw(bound, { dir, cases: CASES, seed: SEED, endOnFailure: true, focus });
  } finally {
    await engine.close();
    rmSync(dir, { recursive: true });
  }
};

async function isNoticed(mutation: Mutation, rooms: readonly string[], law: Law): Promise<boolean> {
  let mutant: Mutant | undefined;
  try {
    mutant = new Mutant(mutation, rooms);
    await law(mutant, mutation);
    return false;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Property failed')) return true;
    console.error(mutation, error);
    return false;
  } finally {
    mutant?.remove();
  }
}

const { values } = parseArgs({
  options: { every: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
});
const table = readFileSync(join(import.meta.dirname, '../../src/object-store/action.ts'), 'utf8');
const RULES = ['base', 'object-store'];
const all = [
  ...[...RULE_MUTATIONS, ...actionMutations(table)].map((mutation) => ({
    mutation,
    rooms: RULES,
    law: ofRules,
  })),
  ...ENGINE_MUTATIONS.map((mutation) => ({ mutation, rooms: [...RULES, 'engine'], law: ofEngine })),
];
const chosen = all.filter(
  ({ mutation: { file, rule } }, index) =>
    index % Number(values.every) === 0 && `${file}: ${rule}`.includes(values.only),
);
let unnoticed = 0;
for (const { mutation, rooms, law } of chosen) {
  const began = performance.now();
  const noticed = await isNoticed(mutation, rooms, law);
  if (!noticed) unnoticed++;
  const took = Math.round(performance.now() - began);
  console.log(
    `${noticed ? 'noticed  ' : 'UNNOTICED'} ${String(took).padStart(6)} ms  ${mutation.file}: ${mutation.rule}`,
  );
}
console.log(`${chosen.length - unnoticed} of ${chosen.length} wrong rules were noticed`);
process.exitCode = unnoticed === 0 ? 0 : 1;

/**
 * `npm run test:mutations`: each rule of access is said wrongly once, and the laws must notice. Prints what was noticed,
 * and ends with 1 where something was not. `--every N` takes each Nth alone, `--only TEXT` those whose rule has it.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { type AccessRules, checkAccessLaw } from '../helpers/access-law.ts';
import { actionMutations } from './actions.ts';
import { Mutant, type Mutation } from './mutation.ts';
import { RULE_MUTATIONS } from './rules.ts';

const RUNS = 30_000;
const SEED = 11;

async function noticedByRules(mutation: Mutation): Promise<boolean> {
  const mutant = new Mutant(mutation, ['base', 'object-store']);
  try {
    const rules: AccessRules = {
      ...(await mutant.load<Pick<AccessRules, 'decideAccess' | 'decideMissing'>>(
        'object-store/rules/access/decide.ts',
      )),
      ...(await mutant.load<Pick<AccessRules, 'parsePolicy'>>(
        'object-store/rules/access/parse-policy.ts',
      )),
    };
    checkAccessLaw(rules, { runs: RUNS, seed: SEED, endOnFailure: true });
    return false;
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('Property failed')) return true;
    console.error(mutation, error);
    return false;
  } finally {
    mutant.remove();
  }
}

const { values } = parseArgs({
  options: { every: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
});
const table = readFileSync(join(import.meta.dirname, '../../src/object-store/action.ts'), 'utf8');
const all = [...RULE_MUTATIONS, ...actionMutations(table)];
const chosen = all.filter(
  ({ rule }, index) => index % Number(values.every) === 0 && rule.includes(values.only),
);
let unnoticed = 0;
for (const mutation of chosen) {
  const began = performance.now();
  const noticed = await noticedByRules(mutation);
  if (!noticed) unnoticed++;
  const took = Math.round(performance.now() - began);
  console.log(
    `${noticed ? 'noticed  ' : 'UNNOTICED'} ${String(took).padStart(6)} ms  ${mutation.file}: ${mutation.rule}`,
  );
}
console.log(`${chosen.length - unnoticed} of ${chosen.length} wrong rules were noticed`);
process.exitCode = unnoticed === 0 ? 0 : 1;

/**
 * `npm run test:mutations`: breaks each rule once and checks that a test detects it. The rules are
 * those of the access checks, the planner, the journal and the held changes, and some rules of sync
 * rounds. It prints the result for each rule. The exit code is 1 if a broken rule was not detected.
 * `--every N` tests only each Nth rule, and `--only TEXT` only rules that contain the text.
 */

import { AssertionError } from 'node:assert';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import PQueue from 'p-queue';

import { actionMutations } from './actions.ts';
import { ENGINE_MUTATIONS } from './engine.ts';
import { HELD_MUTATIONS } from './held-changes.ts';
import { type Law, ofEngine, ofPlanner, ofRules, ofState, ofTests } from './laws.ts';
import { Mutant, type Mutation } from './mutation.ts';
import { PLAN_MUTATIONS } from './planner.ts';
import { REQUEST_MUTATIONS } from './requests.ts';
import { ROUND_MUTATIONS } from './rounds.ts';
import { RULE_MUTATIONS } from './rules.ts';
import { STATE_MUTATIONS } from './state.ts';

interface Subject {
  readonly mutations: readonly Mutation[];
  /** Files and folders of the project that are copied into a mutant. */
  readonly copied: readonly string[];
  readonly law: Law;
}

/**
 * Errors of a mutant that cannot run. They do not count as detection, because no check noticed the
 * broken rule.
 */
const CRASHES = [TypeError, ReferenceError, SyntaxError, RangeError];

/** Returns true if the error means that a check failed. */
function isFailedCheck(error: unknown): boolean {
  if (error instanceof AssertionError) return true;
  if (!(error instanceof Error) || !error.message.startsWith('Property failed')) return false;
  return !CRASHES.some((crash) => error.cause instanceof crash);
}

async function isNoticed(mutation: Mutation, { copied, law }: Subject): Promise<boolean> {
  let mutant: Mutant | undefined;
  try {
    mutant = new Mutant(mutation, copied);
    await law(mutant, mutation);
    return false;
  } catch (error) {
    if (isFailedCheck(error)) return true;
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
const RULES = ['src/base', 'src/object-store'];
const TESTED = ['src', 'test', 'vitest.config.ts', 'tsconfig.json'];
const SUBJECTS: readonly Subject[] = [
  { mutations: [...RULE_MUTATIONS, ...actionMutations(table)], copied: RULES, law: ofRules },
  { mutations: ENGINE_MUTATIONS, copied: [...RULES, 'src/engine'], law: ofEngine },
  { mutations: PLAN_MUTATIONS, copied: [...RULES, 'src/mirror'], law: ofPlanner },
  { mutations: STATE_MUTATIONS, copied: [...RULES, 'src/mirror'], law: ofState },
  {
    mutations: [...REQUEST_MUTATIONS, ...HELD_MUTATIONS, ...ROUND_MUTATIONS],
    copied: TESTED,
    law: ofTests,
  },
];
const all = SUBJECTS.flatMap((subject) =>
  subject.mutations.map((mutation) => ({ subject, mutation })),
);
const chosen = all.filter(
  ({ mutation: { file, rule } }, index) =>
    index % Number(values.every) === 0 && `${file}: ${rule}`.includes(values.only),
);
let unnoticed = 0;
async function run({ mutation, subject }: (typeof chosen)[number]): Promise<void> {
  const began = performance.now();
  const noticed = await isNoticed(mutation, subject);
  if (!noticed) unnoticed++;
  const took = Math.round(performance.now() - began);
  console.log(
    `${noticed ? 'noticed  ' : 'UNNOTICED'} ${String(took).padStart(6)} ms  ${mutation.file}: ${mutation.rule}`,
  );
}
// Runs mutants in parallel, because each mutant that runs tests has its own process.
const queue = new PQueue({ concurrency: availableParallelism() });
await queue.addAll(chosen.map((each) => () => run(each)));
console.log(`${chosen.length - unnoticed} of ${chosen.length} wrong rules were noticed`);
process.exitCode = unnoticed === 0 ? 0 : 1;

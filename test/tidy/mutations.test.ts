import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { actionMutations } from '../mutations/actions.ts';
import { ENGINE_MUTATIONS } from '../mutations/engine.ts';
import { HELD_MUTATIONS } from '../mutations/held-changes.ts';
import { mutatedText } from '../mutations/mutation.ts';
import { PLAN_MUTATIONS } from '../mutations/planner.ts';
import { REQUEST_MUTATIONS } from '../mutations/requests.ts';
import { ROUND_MUTATIONS } from '../mutations/rounds.ts';
import { RULE_MUTATIONS } from '../mutations/rules.ts';
import { STATE_MUTATIONS } from '../mutations/state.ts';

const TABLE = join(import.meta.dirname, '../../src/object-store/action.ts');

describe('the mutations', () => {
  it('match the current sources', () => {
    const mutations = [
      ...actionMutations(readFileSync(TABLE, 'utf8')),
      ...[RULE_MUTATIONS, ENGINE_MUTATIONS, PLAN_MUTATIONS, STATE_MUTATIONS].flat(),
      ...[REQUEST_MUTATIONS, HELD_MUTATIONS, ROUND_MUTATIONS].flat(),
    ];
    for (const mutation of mutations) expect(mutatedText(mutation)).toContain(mutation.to);
  });
});

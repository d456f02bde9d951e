/**
 * Tests that the store allows a call if and only if a simple reference evaluation of the ACLs and
 * policies allows it, and that a denied call changes nothing.
 */

import { expect, test } from 'vitest';

import { checkEngineLaw, type Outcome } from '../../helpers/engine-access-law.ts';
import { CALLS } from '../../helpers/engine-calls.ts';
import { openTestEngine } from '../../helpers/test-engine.ts';

/** Time limit of the test, which takes one or two seconds on an idle machine. */
const PATIENCE_MS = 60_000;

test(
  '[authz-2] the store makes the same access decisions as a simple reference evaluation and changes nothing for a denied call',
  async () => {
    const { dir, clock, engine } = await openTestEngine({ quotas: { bucketsPerProject: 10_000 } });
    const outcomes: Outcome[] = [];
    await checkEngineLaw(
      { as: (caller) => engine.as(caller), now: () => clock.now() },
      {
        dir,
        cases: 160,
        seed: 8,
        endOnFailure: true,
        onOutcome: (outcome) => outcomes.push(outcome),
      },
    );
    const count = (is: (outcome: Outcome) => boolean) => outcomes.filter(is).length;
    expect(count(({ denied }) => denied)).toBeGreaterThan(400);
    expect(count(({ denied }) => !denied)).toBeGreaterThan(200);
    expect(count(({ missing }) => missing)).toBeGreaterThan(20);
    const kinds = Object.keys(CALLS);
    const unanswered = (denied?: boolean) =>
      kinds.filter(
        (kind) =>
          count((each) => each.call === kind && (denied ?? each.denied) === each.denied) === 0,
      );
    expect(unanswered()).toEqual([]);
    expect([unanswered(true).length, unanswered(false).length]).toSatisfy((missed: number[]) =>
      missed.every((each) => each < kinds.length / 10),
    );
  },
  PATIENCE_MS,
);

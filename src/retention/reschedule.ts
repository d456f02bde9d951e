/** When the job's terms change, each lock is scheduled anew: a slice at a time, and on from there after a restart. */

import type { StateFile } from '../mirror/state/state.ts';

/** Names of rows in the state's `meta`. */
const TERMS = 'lock terms';
const REACHED = 'lock terms: rescheduled up to';
const SLICE = 500;

/** Whether each lock is scheduled for these terms, which are compared as text. */
export function isScheduled(state: StateFile, terms: string): boolean {
  return state.meta(TERMS) === terms;
}

/** Returns whether there is more. */
export function reschedule(state: StateFile, terms: string): boolean {
  if (isScheduled(state, terms)) return false;
  const reached = readReached(state, terms);
  const heads = state.baseline.headsAfter(reached, SLICE);
  state.settle(
    heads.flatMap(({ key }) => {
      const baseline = state.baseline.get(key);
      return baseline ? [{ key, baseline }] : [];
    }),
  );
  const last = heads.at(-1)?.key;
  if (last === undefined || heads.length < SLICE) {
    state.setMeta(TERMS, terms);
    return false;
  }
  state.setMeta(REACHED, JSON.stringify({ terms, key: last }));
  return true;
}

/** From the start, where it was for other terms. */
function readReached(state: StateFile, terms: string): string {
  const text = state.meta(REACHED);
  if (text === undefined) return '';
  const reached = JSON.parse(text) as { readonly terms: string; readonly key: string };
  return reached.terms === terms ? reached.key : '';
}

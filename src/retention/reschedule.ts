/** Reschedules all lock renewals in slices when the job's lock settings change. Continues after a restart. */

import type { StateFile } from '../mirror/state/state-file.ts';

/** Names of `meta` records in the job's state. */
const SETTINGS = 'lock terms';
const REACHED = 'lock terms: rescheduled up to';
const SLICE = 500;

/**
 * Returns whether all lock renewals are already scheduled for these settings. Settings are compared as text.
 */
export function isScheduled(state: StateFile, settings: string): boolean {
  return state.meta(SETTINGS) === settings;
}

/** Reschedules the next slice of locks. Returns whether more locks remain. */
export function reschedule(state: StateFile, settings: string): boolean {
  if (isScheduled(state, settings)) return false;
  const reached = readReached(state, settings);
  const rows = state.baseline.headsAfter(reached, SLICE);
  state.settle(
    rows.flatMap(({ key }) => {
      const baseline = state.baseline.get(key);
      return baseline ? [{ key, baseline, reschedulesLock: true }] : [];
    }),
  );
  const last = rows.at(-1)?.key;
  if (last === undefined || rows.length < SLICE) {
    state.setMeta(SETTINGS, settings);
    return false;
  }
  state.setMeta(REACHED, JSON.stringify({ terms: settings, key: last }));
  return true;
}

/** Returns the last rescheduled key. Returns '' (the start) if the stored position is for other settings. */
function readReached(state: StateFile, settings: string): string {
  const text = state.meta(REACHED);
  if (text === undefined) return '';
  const reached = JSON.parse(text) as { readonly terms: string; readonly key: string };
  return reached.terms === settings ? reached.key : '';
}

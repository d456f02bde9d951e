/**
 * Detects deletes of files whose encrypted copies have just appeared under a similar name: the second half of
 * an attack that writes new files.
 */

import { type AlarmContext, isAlarmed, lockGoodVersions } from './anomaly-alarm.ts';

/** Returns the keys whose deletes are to be held. Approved deletes are not among them. */
export async function checkDeletes(
  keys: readonly string[],
  context: AlarmContext,
): Promise<ReadonlySet<string>> {
  const { state } = context;
  const holds = state.heldChanges.among(keys);
  const isApproved = (key: string) => holds.get(key)?.approval !== undefined;
  const signs = state.anomalies.among(keys).filter(({ key }) => !isApproved(key));
  if (signs.length === 0) return new Set();
  const withCopies = signs.filter(({ kind }) => kind === 'beside').map(({ key }) => key);
  // Before the alarm check: concurrent deletes must count together.
  state.anomalies.markReplaced(withCopies);
  if (!(await isAlarmed(context))) return new Set();
  await lockGoodVersions(
    signs.filter(({ key }) => holds.get(key)?.change !== 'delete'),
    context,
  );
  return new Set(signs.map(({ key }) => key));
}

/** Checks a delete that was planned before the encrypted copy of its file was read, and holds it if needed. */
export async function isHeldNow(key: string, context: AlarmContext): Promise<boolean> {
  if ((await checkDeletes([key], context)).size === 0) return false;
  const { heldChanges, baseline } = context.state;
  const head = baseline.get(key);
  if (head) heldChanges.holdDelete(key, head);
  return true;
}

/** Files that are gone, and beside which encrypted ones stand: the other half of an attack that writes new files. */

import { type AlarmContext, isAlarmed, lockGoodVersions } from './anomaly-alarm.ts';

/** Those of the keys whose deletes are to be held. What the user approved is none of them. */
export async function checkDeletes(
  keys: readonly string[],
  context: AlarmContext,
): Promise<ReadonlySet<string>> {
  const { state } = context;
  const holds = state.holds(keys);
  const isApproved = (key: string) => holds.get(key)?.approval !== undefined;
  const signs = state.signs.among(keys).filter(({ key }) => !isApproved(key));
  if (signs.length === 0) return new Set();
  const beside = signs.filter(({ kind }) => kind === 'beside').map(({ key }) => key);
  // Before the question, since many may ask at once.
  state.signs.turnReplaced(beside);
  if (!(await isAlarmed(context))) return new Set();
  await lockGoodVersions(
    signs.filter(({ key }) => holds.get(key)?.change !== 'delete'),
    context,
  );
  return new Set(signs.map(({ key }) => key));
}

/** A delete that was planned before what stands beside its file was read. */
export async function isHeldNow(key: string, context: AlarmContext): Promise<boolean> {
  if ((await checkDeletes([key], context)).size === 0) return false;
  const { heldDeletes, baseline } = context.state;
  const head = baseline.get(key);
  if (head) heldDeletes.hold(key, head);
  return true;
}

/** Describes the earlier versions of an object. A lock of the current version does not change their locks. */

import { isControlError } from '../../src/control/control-error.ts';
import { countText } from '../../src/text/amounts.ts';
import type { Ui } from '../ui/ui.ts';
import { asked } from '../data/place.ts';
import type { ObjectPlace } from '../data/place.ts';
import { isRetained } from '../text/locks.ts';
import { PAGE_ROWS } from './below.ts';
import { LOCKS_AT_ONCE } from './read-locks.ts';

/**
 * Returns a line with the number of earlier versions that are not locked, or the reason if the service cannot return
 * their locks. Returns no line for an object without earlier versions. Returns undefined if the number is unknown.
 */
export async function earlierVersionLines(
  ui: Ui,
  object: ObjectPlace,
): Promise<readonly string[] | undefined> {
  try {
    const { target, bucket, key } = object;
    const place = asked({ target, bucket });
    const params = { ...place, prefix: key, maxKeys: PAGE_ROWS };
    const { versions, next } = await ui.call('versions.list', params);
    // The next page can contain further versions of the same key.
    if (next?.keyMarker === key) return undefined;
    const earlier = versions.filter(
      (each) => each.key === key && !each.isLatest && each.kind === 'version',
    );
    if (earlier.length === 0) return [];
    // Each lock costs a request to the service, and the form waits for them.
    if (earlier.length > LOCKS_AT_ONCE) return undefined;
    const objects = earlier.map(({ versionId }) => ({ key, versionId }));
    const locks = await ui.call('versions.locks', { ...place, objects });
    const codes = locks.objects.map(({ code }) => code).filter((code) => code !== undefined);
    const [code] = codes.toSorted((a, b) => Number(a === DENIED) - Number(b === DENIED));
    if (code !== undefined) return code === DENIED ? undefined : [unread(ui, code)];
    const now = ui.clock.now();
    const locked = locks.objects.filter(
      (lock) => lock.legalHold === true || isRetained(lock, now),
    ).length;
    return [textOf(earlier.length - locked, locked)];
  } catch (error) {
    // The credentials may lack the permission to list versions. The lock does not need it.
    if (isControlError(error, 'Storage') && error.storageCode === DENIED) return undefined;
    return [unread(ui, ui.errorWords(error))];
  }
}

const DENIED = 'AccessDenied';

function unread(ui: Ui, why: string): string {
  return ui.look.name(`The earlier versions stay as they are; they could not be read: ${why}`);
}

function textOf(unlocked: number, locked: number): string {
  const lockedText = `${countText(locked, 'earlier version')} ${locked === 1 ? 'is' : 'are'} locked already`;
  if (unlocked === 0) return `${lockedText}.`;
  const text = `${countText(unlocked, 'earlier version')} ${unlocked === 1 ? 'stays' : 'stay'} unlocked`;
  return locked === 0
    ? `${text}.`
    : `${text}; ${locked} ${locked === 1 ? 'is' : 'are'} locked already.`;
}

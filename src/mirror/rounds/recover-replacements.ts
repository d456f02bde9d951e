/** Files that a crash left under temporary names, while others of the bucket were taking their place: put right before anything is scanned. */

import { readdirSync, rmSync } from 'node:fs';

import type { Clock } from '../../base/clock.ts';
import { endSettingAside } from '../local/set-aside-file.ts';
import { isFolderInside } from '../local/is-there.ts';
import { within } from '../local/local-entry.ts';
import { folderKey, parentOf, pathOfKey } from '../model/local-path.ts';
import { isPartialName } from '../local/temporary-name.ts';
import type { StateFile } from '../state/state.ts';
import type { Tracker } from '../model/activity.ts';

export function recoverReplacements({
  root,
  state,
  tracker,
  clock,
}: {
  root: string;
  state: StateFile;
  tracker: Tracker;
  clock: Clock;
}): void {
  const takings = state.takings.all();
  for (const { key, replacedContent, ...taking } of takings) {
    const path = pathOfKey(key);
    const onReplaced = () => replacedContent && state.conflicts.record({ ...replacedContent, key });
    const kept = endSettingAside({ root, path, now: clock.now(), onReplaced, ...taking });
    if (kept === undefined) continue;
    const message = `somebody wrote into ${path} while it was replaced: that is kept as ${kept}`;
    tracker.say({ level: 'warn', action: 'conflict', path: kept, message });
  }
  // When all have their names again: earlier releases gave what made way such a name, too.
  const folders = new Set(takings.map(({ key }) => parentOf(pathOfKey(key))));
  for (const folder of folders) removeHalfFiles(root, folder);
  for (const { key } of takings) state.takings.end(key);
}

/** What was still being fetched: nothing else has such a name here. */
function removeHalfFiles(root: string, folder: string): void {
  const absolute = `${root}/${folderKey(folder)}`;
  if (!isFolderInside(root, folder)) return;
  for (const name of readdirSync(absolute))
    if (isPartialName(name)) rmSync(`${root}/${within(folder, name)}`, { force: true });
}

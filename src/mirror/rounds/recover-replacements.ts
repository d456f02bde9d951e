/** Completes file replacements that a crash interrupted. Runs before the folder is scanned. */

import { readdirSync, rmSync } from 'node:fs';

import type { Clock } from '../../base/clock.ts';
import { endSettingAside } from '../local/set-aside-file.ts';
import { isFolderInside } from '../local/path-exists.ts';
import { within } from '../local/local-entry.ts';
import { folderKey, parentOf, pathOfKey } from '../model/local-path.ts';
import { isPartialName } from '../local/temporary-name.ts';
import type { StateFile } from '../state/state-file.ts';
import type { Tracker } from '../model/tracker.ts';

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
  const takings = state.replacements.all();
  for (const { key, replacedContent, ...taking } of takings) {
    const path = pathOfKey(key);
    const onReplaced = () => replacedContent && state.conflicts.record({ ...replacedContent, key });
    const kept = endSettingAside({ root, path, now: clock.now(), onReplaced, ...taking });
    if (kept === undefined) continue;
    const message = `another program wrote to ${path} while it was being replaced: its content is kept as ${kept}`;
    tracker.say({ level: 'warn', action: 'conflict', path: kept, message });
  }
  // All set-aside files must get their own names back first, because earlier releases of Holdfast gave them the same
  // kind of names as partial downloads.
  const folders = new Set(takings.map(({ key }) => parentOf(pathOfKey(key))));
  for (const folder of folders) removePartialDownloads(root, folder);
  for (const { key } of takings) state.replacements.end(key);
}

/** Removes partial downloads from a folder. They are recognised by their temporary names. */
function removePartialDownloads(root: string, folder: string): void {
  const absolute = `${root}/${folderKey(folder)}`;
  if (!isFolderInside(root, folder)) return;
  for (const name of readdirSync(absolute))
    if (isPartialName(name)) rmSync(`${root}/${within(folder, name)}`, { force: true });
}

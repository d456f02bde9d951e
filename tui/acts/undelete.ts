/** Restores deleted objects. It removes their delete markers, so that the newest version becomes current again. */

import type { Ui } from '../ui/ui.ts';
import type { Question } from '../commands/command.ts';
import { asked } from '../data/place.ts';
import type { BucketPlace } from '../data/place.ts';
import { bytesText, countText, numberText } from '../../src/text/amounts.ts';
import { PAGE_ROWS, versionsBelow } from './below.ts';
import type { ListedVersion } from './below.ts';
import { addDeleteMarkers } from './delete.ts';
import { showFailures } from './many.ts';
import type { Failure } from './many.ts';
import { restoredObjectFacts } from './mirrored.ts';
import { shownName } from './names.ts';

interface Marker {
  readonly key: string;
  readonly versionId: string;
}

export interface Undeletion {
  readonly place: BucketPlace;
  /** The delete markers above each object's newest version. */
  readonly markers: readonly Marker[];
  /** The number of objects that would be restored. */
  readonly count: number;
  readonly bytes: number;
  /** The number of deleted objects that have no version left. */
  readonly lost: number;
}

/** Finds the deleted objects among the keys and below the folders. */
export async function findDeleted(
  ui: Ui,
  place: BucketPlace,
  { keys, folders }: { readonly keys: readonly string[]; readonly folders: readonly string[] },
): Promise<Undeletion> {
  const markers: Marker[] = [];
  const sums = { count: 0, bytes: 0, lost: 0 };
  const take = (versions: readonly ListedVersion[]) => {
    const newest = versions.findIndex(({ kind }) => kind === 'version');
    if (newest < 0) sums.lost += 1;
    if (newest <= 0) return;
    markers.push(...versions.slice(0, newest).map(({ key, versionId }) => ({ key, versionId })));
    sums.count += 1;
    sums.bytes += versions[newest]?.sizeBytes ?? 0;
  };
  await ui.work('counting', async (work) => {
    const { signal } = work.abort;
    for (const prefix of [...folders, ...keys]) {
      let versions: ListedVersion[] = [];
      for await (const version of versionsBelow(ui, place, prefix, signal)) {
        // Longer keys that start with this key follow it in the list.
        if (!folders.includes(prefix) && version.key !== prefix) break;
        if (versions[0] && versions[0].key !== version.key) {
          take(versions);
          versions = [];
          work.progress = numberText(sums.count);
          ui.changes.soon();
        }
        versions.push(version);
      }
      if (versions.length > 0) take(versions);
    }
  });
  return { place, markers, ...sums };
}

/** Returns the question before objects are restored. Throws if no object can be restored. */
export function askUndeletion(
  ui: Ui,
  { place, markers, count, bytes, lost }: Undeletion,
): Question {
  const left = `${countText(lost, 'deleted object')} ${lost === 1 ? 'has' : 'have'} no version left`;
  if (count === 0) throw new Error(lost > 0 ? `restore: ${left}` : 'restore: nothing is deleted');
  const [first] = markers;
  const what = count === 1 && first ? shownName(first.key, ui.look) : countText(count, 'object');
  return {
    title: `Restore ${what}, ${bytesText(bytes)}?`,
    facts: [
      `${countText(markers.length, 'delete marker')} ${markers.length === 1 ? 'is' : 'are'} removed, and the newest version becomes current. No version is deleted.`,
      'Locks do not prevent this, and the versions keep their locks.',
      ...(lost > 0 ? [`${left}.`] : []),
      ...restoredObjectFacts(
        ui,
        place,
        markers.map(({ key }) => key),
      ),
    ],
  };
}

export async function undelete(
  ui: Ui,
  { place, markers, count }: Undeletion,
  changed: (returned?: string) => void,
): Promise<void> {
  const failures: Failure[] = [];
  const keys = [...new Set(markers.map(({ key }) => key))];
  await ui
    .work('restoring', async (work) => {
      for (let start = 0; start < markers.length; start += PAGE_ROWS) {
        work.abort.signal.throwIfAborted();
        const objects = markers.slice(start, start + PAGE_ROWS);
        const { failed } = await ui.call('objects.deleteMany', { ...asked(place), objects });
        failures.push(
          ...failed.map(({ key, message, code }) => ({ name: key, reason: message || code })),
        );
        work.progress = numberText(start + objects.length);
        ui.changes.soon();
      }
    })
    .finally(() => changed(keys[0]));
  showFailures(ui, 'restoring', failures);
  const failed = new Set(failures.map(({ name }) => name));
  const restored = keys.filter((key) => !failed.has(key));
  if (restored.length === 0) return;
  const what =
    count === 1 ? shownName(restored[0]!, ui.look) : countText(restored.length, 'object');
  const undo = async () => {
    await addDeleteMarkers(ui, place, restored);
    changed();
  };
  ui.notifyUndoable(`restored ${what}`, undo, `${what} deleted again`);
}

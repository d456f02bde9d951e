/** Deletes a version permanently, or makes an earlier version current again. */

import type { Ui } from '../ui/ui.ts';
import type { Question } from '../commands/command.ts';
import { asked } from '../data/place.ts';
import type { ObjectPlace } from '../data/place.ts';
import { bytesText } from '../../src/text/amounts.ts';
import { timeText } from '../../src/text/time.ts';
import { lockText, needsBypass, whyNotDeleted } from '../text/locks.ts';
import type { LockState } from '../text/locks.ts';
import { declined } from './declined.ts';
import { differenceFacts } from './mirrored.ts';
import { nameToType, shownName, VERSION_CELLS } from './names.ts';

export interface VersionToRemove extends ObjectPlace {
  readonly versionId: string;
  readonly sizeBytes: number;
  readonly lastModifiedAt: number;
  readonly isLatest: boolean;
  readonly isMarker: boolean;
}

/**
 * Returns the question before a version is removed. Returns undefined for a delete marker, because its removal restores
 * the object. Throws if the version cannot be removed.
 */
export async function askRemoval(ui: Ui, version: VersionToRemove): Promise<Question | undefined> {
  if (version.isMarker) return undefined;
  const lock = await lockOf(ui, version);
  const now = ui.clock.now();
  const why = whyNotDeleted(lock, now);
  if (why !== undefined) throw new Error(`delete version: ${why}`);
  const { key, bucket, versionId, sizeBytes, lastModifiedAt } = version;
  const bypass = needsBypass(lock, now);
  const latest = version.isLatest
    ? [
        'It is the current version: the previous one becomes current.',
        ...(await differenceFacts(ui, version)),
      ]
    : [];
  return {
    title: bypass
      ? 'Bypass GOVERNANCE and delete the version?'
      : 'Delete this version permanently?',
    facts: [
      `${shownName(key, ui.look)}, ${bytesText(sizeBytes)}, of ${timeText(lastModifiedAt)}`,
      `version ${ui.look.name(versionId)}`,
      ...(bypass ? [`It is locked: ${lockText(lock, now)}.`] : []),
      ...latest,
      'This cannot be undone.',
    ],
    type: nameToType(key, bucket),
  };
}

export async function removeVersion(ui: Ui, version: VersionToRemove): Promise<void> {
  const { target, bucket, key, versionId, isMarker } = version;
  const place = asked({ target, bucket, key, versionId });
  const lock = isMarker ? {} : await lockOf(ui, version);
  const bypass = needsBypass(lock, ui.clock.now()) ? { bypassGovernance: true } : {};
  await ui.call('objects.delete', { ...place, ...bypass });
  const name = shownName(key, ui.look);
  if (!isMarker)
    return ui.notify(`removed the version of ${name} from ${timeText(version.lastModifiedAt)}`);
  if (!version.isLatest) return ui.notify(`removed an old delete marker of ${name}`);
  ui.notifyUndoable(`removed the delete marker: ${name} is restored`, async () => {
    await ui.call('objects.delete', asked({ target, bucket, key }));
  });
}

async function lockOf(ui: Ui, { target, bucket, key, versionId }: ObjectPlace): Promise<LockState> {
  const place = asked({ target, bucket, key, versionId });
  const { retention, legalHold } = await ui.call('objects.describe', place);
  return { retention, legalHold };
}

/**
 * Makes a version current by copying it onto its own key within the service. An undo removes the copy. If a lock
 * prevents the removal and the object was deleted before, an undo adds a delete marker.
 */
export async function restoreVersion(
  ui: Ui,
  { target, bucket, key, versionId }: ObjectPlace,
  changed: () => void,
): Promise<void> {
  const from = { bucket, key, ...(versionId === undefined ? {} : { versionId }) };
  const { bucket: _bucket, ...store } = asked({ target, bucket });
  const isKept = await keepsCurrent(ui, { target, bucket, key });
  const params = { from, to: { bucket, key }, overwrite: true, ...store };
  const made = await ui.work('restoring', ({ abort }) =>
    ui.call('objects.copy', params, { signal: abort.signal }),
  );
  changed();
  const id = ui.look.cut(ui.look.name(versionId ?? ''), VERSION_CELLS, 'middle');
  const said = `restored version ${id} of ${shownName(key, ui.look)}`;
  const copy = { target, bucket, key, versionId: made.versionId };
  if (made.versionId === undefined || !isKept) return ui.notify(said);
  if (await canRemove(ui, copy)) {
    return ui.notifyUndoable(said, async () => {
      await ui.call('objects.delete', asked(copy));
      changed();
    });
  }
  if (!(await wasDeleted(ui, copy))) return ui.notify(said);
  ui.notifyUndoable(said, async () => {
    await deleteAgain(ui, copy);
    changed();
  });
}

/** Returns whether the object was deleted before the copy: the version before the copy is a delete marker. */
async function wasDeleted(ui: Ui, copy: ObjectPlace): Promise<boolean> {
  const [latest, before] = await latestVersions(ui, copy);
  return latest?.versionId === copy.versionId && before?.kind === 'delete-marker';
}

/**
 * Adds a delete marker. Throws if the copy is no longer the latest version, because the marker would hide a newer
 * version.
 */
async function deleteAgain(ui: Ui, copy: ObjectPlace): Promise<void> {
  const { target, bucket, key, versionId } = copy;
  const [latest] = await latestVersions(ui, copy);
  if (latest?.versionId !== versionId) {
    throw new Error(`undo: ${shownName(key, ui.look)} has a newer version: v shows its versions`);
  }
  await ui.call('objects.delete', asked({ target, bucket, key }));
}

/** Returns the two latest versions of the key. The service may also return longer keys that start with this key. */
async function latestVersions(ui: Ui, { target, bucket, key }: ObjectPlace) {
  const params = { ...asked({ target, bucket }), prefix: key, maxKeys: 2 };
  const { versions } = await ui.call('versions.list', params);
  return versions.filter((each) => each.key === key);
}

/** Returns whether the version can be deleted without a bypass. Returns false if its lock cannot be read. */
async function canRemove(ui: Ui, version: ObjectPlace): Promise<boolean> {
  try {
    const lock = await lockOf(ui, version);
    const now = ui.clock.now();
    return whyNotDeleted(lock, now) === undefined && !needsBypass(lock, now);
  } catch (error) {
    ui.notifyError(error);
    return false;
  }
}

/**
 * Returns whether the copy leaves the current version in place. If versioning is suspended, the copy replaces the
 * version with the id `null`, so the user is asked first. Rejects if the user answers no.
 */
async function keepsCurrent(ui: Ui, { target, bucket }: ObjectPlace): Promise<boolean> {
  const { versioning } = await ui.call('versioning.get', asked({ target, bucket }));
  if (versioning === 'Enabled') return true;
  const facts = [
    `Versioning is suspended: if the current content was stored since then, it is lost.`,
  ];
  if (await ui.ask({ title: 'Restore over the current version?', facts })) return false;
  throw declined();
}

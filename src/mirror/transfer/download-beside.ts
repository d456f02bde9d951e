/** Downloads a version from the bucket to a second local file next to the key's own file. */

import { lstatSync } from 'node:fs';

import { FileChangedError } from '../model/failure-kind.ts';
import { siblingNames, stampOf } from '../local/sibling-name.ts';
import { readFileStable } from '../local/read-file.ts';
import { kindOf, toEntry } from '../local/local-entry.ts';
import { pathOfKey } from '../model/local-path.ts';
import type { DownloadBesideAction } from '../plan/action.ts';
import type { PerformContext, Step, Work } from './step-types.ts';
import { hashObject } from './fetch-file.ts';
import { fetch, downloadFailed, objectOf } from './download.ts';

/**
 * Downloads the version, and returns the follow-up action as further work. Idempotent: a retry finds the file from an
 * earlier attempt.
 */
export async function downloadBeside(
  { attempts }: Work,
  action: DownloadBesideAction,
  context: PerformContext,
): Promise<Step> {
  const { key, from, resolves, next } = action;
  const { root, clock, hint, tracker } = context;
  const path = pathOfKey(key);
  const label = `from ${from.side} ${stampOf(from.since)}`;
  try {
    const known = async () => from.sha256 ?? hashObject(objectOf(key, from, context));
    const beside = await freeName(path, label, known, context);
    if (!beside.isThere) {
      const makeWay = () => refuseExisting(`${root}/${beside.name}`);
      await fetch(key, from, { path: beside.name, makeWay }, context);
      const message = `the content from the ${from.side} is saved next to ${path}`;
      tracker.say({ level: 'info', action: 'take', path: beside.name, message });
    }
    hint(beside.name);
  } catch (error) {
    return downloadFailed(action, error, context);
  }
  const settlement = { key, baseline: 'keep', resolves: { ...resolves, at: clock.now() } } as const;
  if (!next) return { is: 'settled', settlement };
  return { is: 'again', settlement, works: [{ action: next, attempts }] };
}

/** Returns an unused name next to the file, or the name of a file with the same content from an earlier attempt. */
async function freeName(
  path: string,
  label: string,
  known: () => Promise<string>,
  { root, clock, signal }: PerformContext,
): Promise<{ readonly name: string; readonly isThere: boolean }> {
  for (const name of siblingNames(path, label)) {
    const stats = lstatSync(`${root}/${name}`, { throwIfNoEntry: false });
    if (!stats) return { name, isThere: false };
    const kind = kindOf(stats);
    if (kind === undefined) continue;
    const reading = await readFileStable(root, toEntry(name, kind, stats), { clock, signal });
    if (reading.status === 'read' && reading.sha256 === (await known()))
      return { name, isThere: true };
  }
  throw new Error(`cannot save a file next to ${path}: all candidate names exist`);
}

function refuseExisting(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })) throw new FileChangedError(path);
}

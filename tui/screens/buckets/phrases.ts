/** `:bucket photos/2026/`, `:bucket eu:photos`: with the names that there are as they are typed. */

import { isAbort } from '../../../src/base/errors.ts';
import { isBucketName } from '../../../src/config/bucket-name.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Phrase } from '../../ui/phrase.ts';
import { bucketText, parsePlace } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import { namesFrom } from '../objects/complete-key.ts';
import { BucketLists } from './bucket-rows.ts';
import { openNamed } from '../objects/open-bucket.ts';

export const BUCKET_PHRASES: readonly Phrase[] = [
  {
    name: 'bucket',
    usage: 'bucket [TARGET:]NAME[/PREFIX]',
    title: 'the objects of a bucket, or of a folder in it',
    needsArgument: true,
    prepare,
    complete: completed,
    run: async (ui, argument) => {
      const { place, rest } = parsePlace(argument);
      if (!isBucketName(place.bucket))
        throw new Error(`open bucket: "${argument}" is no name of one`);
      await openNamed(ui, place, rest);
    },
  },
];

function completed(ui: Ui, argument: string): readonly string[] {
  const slash = argument.indexOf('/');
  if (slash < 0) {
    return known(ui, '').filter((name) => name.startsWith(argument));
  }
  const { place, folder } = folderOf(argument);
  const start = `${bucketText(place)}/`;
  const names = known(ui, start + folder);
  return names.map((name) => start + name).filter((name) => name.startsWith(argument));
}

function prepare(ui: Ui, argument: string): void {
  if (!argument.includes('/')) return learn(ui, '', () => bucketNames(ui));
  const { place, folder } = folderOf(argument);
  learn(ui, `${bucketText(place)}/${folder}`, () => namesFrom(ui, place, folder));
}

/** `photos/2026/` of `photos/2026/07`. */
function folderOf(argument: string): { readonly place: BucketPlace; readonly folder: string } {
  const { place, rest } = parsePlace(argument);
  return { place, folder: rest.slice(0, rest.lastIndexOf('/') + 1) };
}

async function bucketNames(ui: Ui): Promise<string[]> {
  const lists = new BucketLists(ui);
  const signal = AbortSignal.timeout(ASK_MS);
  try {
    await lists.read(signal, () => undefined);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return lists.rows().map(bucketText);
}

/** A service that takes longer offers nothing. */
const ASK_MS = 10_000;
/** What was told so long ago may be another today. */
const KEPT_MS = 15_000;

interface Told {
  readonly at: number;
  names: readonly string[];
}

const caches = new WeakMap<Ui, Map<string, Told>>();

function known(ui: Ui, id: string): readonly string[] {
  return caches.get(ui)?.get(id)?.names ?? [];
}

/** Asks for names that were not read lately. The offers are drawn again when the answer has come. */
function learn(ui: Ui, id: string, ask: () => Promise<readonly string[]>): void {
  const cache = caches.get(ui) ?? new Map<string, Told>();
  caches.set(ui, cache);
  const told = cache.get(id);
  const now = ui.clock.monotonic();
  if (told && now - told.at < KEPT_MS) return;
  const fresh: Told = { at: now, names: told?.names ?? [] };
  cache.set(id, fresh);
  void fill(ui, fresh, ask);
}

/** Nothing is offered of what cannot be read: who opens it is told why. */
async function fill(ui: Ui, told: Told, ask: () => Promise<readonly string[]>): Promise<void> {
  try {
    told.names = await ask();
  } catch (error) {
    if (!isAbort(error)) told.names = [];
  }
  ui.changes.soon();
}

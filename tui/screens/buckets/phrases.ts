/**
 * The palette command `bucket`, which completes bucket names and prefixes: `:bucket photos/2026/`, `:bucket eu:photos`.
 */

import { isBucketName } from '../../../src/config/bucket-name.ts';
import type { Ui } from '../../ui/ui.ts';
import type { Phrase } from '../../ui/phrase.ts';
import { knownNames, readNames } from '../../ui/known-names.ts';
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
        throw new Error(`open bucket: "${argument}" is not a valid bucket name`);
      await openNamed(ui, place, rest);
    },
  },
];

function completed(ui: Ui, argument: string): readonly string[] {
  const slash = argument.indexOf('/');
  if (slash < 0) {
    return knownNames(ui, '').filter((name) => name.startsWith(argument));
  }
  const { place, folder } = folderOf(argument);
  const start = `${bucketText(place)}/`;
  const names = knownNames(ui, start + folder);
  return names.map((name) => start + name).filter((name) => name.startsWith(argument));
}

function prepare(ui: Ui, argument: string): void {
  if (!argument.includes('/')) return readNames(ui, '', () => bucketNames(ui));
  const { place, folder } = folderOf(argument);
  readNames(ui, `${bucketText(place)}/${folder}`, () => namesFrom(ui, place, folder));
}

/** Returns the folder part of a typed argument: `photos/2026/` for `photos/2026/07`. */
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

/** The palette offers no completions if the service takes longer than this. */
const ASK_MS = 10_000;

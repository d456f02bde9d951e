/** The palette command `key`, which finds objects in the open bucket by any part of their key. */

import type { Ui } from '../../ui/ui.ts';
import type { Phrase } from '../../ui/phrase.ts';
import { knownNames, readNames } from '../../ui/known-names.ts';
import { asked, bucketText } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import { fuzzySorted } from '../../widgets/fuzzy.ts';
import { namesFrom } from './complete-key.ts';
import { DELIMITER } from './object-rows.ts';
import { ObjectsScreen } from './objects-screen.ts';

/** The palette searches at most this many keys. In a larger bucket, it finds keys only by their prefix. */
const MOST_KEYS = 5_000;
const PAGE_ROWS = 1_000;

export const KEY_PHRASE: Phrase = {
  name: 'key',
  usage: 'key TEXT',
  title: 'find an object of the open bucket',
  needsArgument: true,
  prepare: (ui, text) => {
    const place = openBucket(ui)?.place;
    if (!place) return;
    readNames(ui, keysId(place), () => firstKeys(ui, place));
    const folder = folderOf(text);
    readNames(ui, `${bucketText(place)}/${folder}`, () => namesFrom(ui, place, folder));
  },
  complete: (ui, text) => {
    const place = openBucket(ui)?.place;
    return place ? matching(ui, place, text) : [];
  },
  run: async (ui, text) => {
    const screen = openBucket(ui);
    if (!screen) throw new Error('find a key: open a bucket first');
    screen.goTo(await meantKey(ui, screen.place, text));
  },
};

function openBucket(ui: Ui): ObjectsScreen | undefined {
  const { top } = ui.router;
  return top instanceof ObjectsScreen ? top : undefined;
}

function keysId(place: BucketPlace): string {
  return `keys of ${bucketText(place)}`;
}

function folderOf(text: string): string {
  return text.slice(0, text.lastIndexOf(DELIMITER) + 1);
}

function matching(ui: Ui, place: BucketPlace, text: string): readonly string[] {
  const keys = knownNames(ui, keysId(place));
  if (text === '') return keys;
  const names = knownNames(ui, `${bucketText(place)}/${folderOf(text)}`);
  const begin = names.filter((name) => name.startsWith(text));
  return [...new Set([...begin, ...fuzzySorted(keys, text, (key) => [key])])];
}

/** Returns the text if it is a key or folder in the bucket, otherwise the first key that matches the text. */
async function meantKey(ui: Ui, place: BucketPlace, text: string): Promise<string> {
  const [match] = matching(ui, place, text);
  if (match === undefined || match === text || text.endsWith(DELIMITER)) return text;
  const names = await namesFrom(ui, place, text);
  return names.includes(text) ? text : match;
}

async function firstKeys(ui: Ui, place: BucketPlace): Promise<readonly string[]> {
  const keys: string[] = [];
  let token: string | undefined;
  do {
    const from = token === undefined ? {} : { continuationToken: token };
    const page = await ui.call('objects.list', { ...asked(place), maxKeys: PAGE_ROWS, ...from });
    keys.push(...page.objects.map(({ key }) => key));
    token = page.nextToken;
  } while (token !== undefined && keys.length < MOST_KEYS);
  return keys;
}

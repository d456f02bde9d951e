/** Forms for the tags of objects and buckets. Each field holds one tag, and an empty field removes its tag. */

import type { Ui } from '../ui/ui.ts';
import { FormOverlay } from '../widgets/form.ts';
import type { Field, FormValues } from '../widgets/form.ts';
import { asked } from '../data/place.ts';
import type { BucketPlace, ObjectPlace } from '../data/place.ts';
import { bytesText, countText } from '../../src/text/amounts.ts';
import { declined } from './declined.ts';
import { doMany } from './many.ts';
import { shownName } from './names.ts';

interface Tag {
  readonly key: string;
  readonly value: string;
}

/** The maximum number of tags on an object and on a bucket (S3 limits). */
const MOST_OBJECT_TAGS = 10;
const MOST_BUCKET_TAGS = 50;
const MOST_KEY_CHARACTERS = 128;
const MOST_VALUE_CHARACTERS = 256;
/** The number of empty fields for new tags. */
const SPARE = 4;

export async function openTagsForm(
  ui: Ui,
  object: ObjectPlace,
  changed: () => void,
): Promise<void> {
  const { tags } = await ui.call('objects.tags', asked(object));
  openForm(ui, {
    title: `Tags of ${shownName(object.key, ui.look)}`,
    tags,
    most: MOST_OBJECT_TAGS,
    save: async (set) => {
      await ui.call('objects.retag', { ...asked(object), changes: { set, remove: 'all' } });
      ui.notify(`tags of ${shownName(object.key, ui.look)} saved`);
      changed();
    },
  });
}

export interface Tagged extends ObjectPlace {
  readonly sizeBytes: number;
}

/**
 * Sets and removes some tags of several objects and preserves the others. The form shows the effect before the change
 * starts.
 */
export function openTagsOfMany(ui: Ui, objects: readonly Tagged[], changed: () => void): void {
  const removal: Field = {
    name: REMOVE,
    label: 'remove',
    help: 'keys of the tags to remove, separated by commas',
  };
  ui.openOverlay(
    new FormOverlay(ui, {
      title: `Tags of ${countText(objects.length, 'object')}`,
      said: ['Sets these tags. Other tags stay unless you remove them.'],
      fields: [...tagFields([], SPARE, MOST_OBJECT_TAGS), removal],
      submit: async ({ [REMOVE]: removed = '', ...typed }) => {
        const set = tagsOf(typed);
        const keys = removed.split(',').map((key) => key.trim());
        const remove = keys.filter((key) => key !== '' && !set.some((tag) => tag.key === key));
        if (set.length + remove.length === 0) throw new Error('write a tag to set or to remove');
        await retagMany(ui, objects, { set, remove });
        changed();
      },
    }),
  );
}

const REMOVE = 'remove';

interface TagChanges {
  readonly set: Tag[];
  readonly remove: string[];
}

/**
 * Changes the tags of several objects after a confirmation. Rejects if the user answers no, so that the form stays
 * open.
 */
async function retagMany(
  ui: Ui,
  objects: readonly Tagged[],
  { set, remove }: TagChanges,
): Promise<void> {
  const { look } = ui;
  const bytes = objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const facts = [
    `${countText(objects.length, 'object')}, ${bytesText(bytes)}:`,
    ...set.map(({ key, value }) => `  set ${look.name(`${key}=${value}`)}`),
    ...remove.map((key) => `  remove ${look.name(key)}`),
  ];
  const title = `Change the tags of ${countText(objects.length, 'object')}?`;
  if (!(await ui.ask({ title, facts }))) throw declined();
  const done = await doMany(ui, {
    title: 'tagging',
    items: objects,
    nameOf: ({ key }) => key,
    each: async ({ sizeBytes: _size, ...place }, signal) => {
      await ui.call('objects.retag', { ...asked(place), changes: { set, remove } }, { signal });
    },
  });
  if (done > 0) ui.notify(`tags of ${countText(done, 'object')} saved`);
}

export async function openBucketTagsForm(
  ui: Ui,
  place: BucketPlace,
  changed: () => void,
): Promise<void> {
  const { tags } = await ui.call('buckets.tags', asked(place));
  openForm(ui, {
    title: `Tags of ${ui.look.name(place.bucket)}`,
    tags,
    most: MOST_BUCKET_TAGS,
    save: async (set) => {
      await ui.call('buckets.retag', { ...asked(place), changes: { set, remove: 'all' } });
      ui.notify(`tags of ${place.bucket} saved`);
      changed();
    },
  });
}

interface TagsForm {
  readonly title: string;
  readonly tags: readonly Tag[];
  readonly most: number;
  readonly save: (tags: Tag[]) => Promise<void>;
}

function openForm(ui: Ui, { title, tags, most, save }: TagsForm): void {
  const lines = Math.min(most, tags.length + SPARE);
  const fields = tagFields(tags, Math.max(lines, tags.length), most);
  ui.openOverlay(new FormOverlay(ui, { title, fields, submit: (values) => save(tagsOf(values)) }));
}

function tagFields(tags: readonly Tag[], length: number, most: number): Field[] {
  return Array.from({ length }, (_, index): Field => {
    const tag = tags[index];
    return {
      name: String(index),
      label: `tag ${index + 1}`,
      value: tag ? `${tag.key}=${tag.value}` : '',
      help: `KEY=VALUE, such as team=photos; at most ${most} tags`,
      check: (text, all) => tagProblem(text, all),
    };
  });
}

/** Splits each tag at its first equals sign, because the value may contain others. */
function tagsOf(values: FormValues): Tag[] {
  return Object.values(values)
    .filter((text) => text.trim() !== '')
    .map((text) => {
      const at = text.indexOf('=');
      return { key: text.slice(0, at), value: text.slice(at + 1) };
    });
}

export function tagProblem(text: string, all: FormValues): string | undefined {
  if (text.trim() === '') return undefined;
  const at = text.indexOf('=');
  if (at <= 0) return 'write KEY=VALUE';
  const [key, value] = [text.slice(0, at), text.slice(at + 1)];
  if (key.length > MOST_KEY_CHARACTERS)
    return `a key has at most ${MOST_KEY_CHARACTERS} characters`;
  if (value.length > MOST_VALUE_CHARACTERS) {
    return `a value has at most ${MOST_VALUE_CHARACTERS} characters`;
  }
  const same = Object.values(all).filter((other) => other.startsWith(`${key}=`));
  return same.length > 1 ? `there is another tag with the key ${key}` : undefined;
}

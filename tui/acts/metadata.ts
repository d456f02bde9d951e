/** Edits an object's metadata. In a bucket with versioning, a change creates a new version. */

import type { Result } from '../../src/control/messages.ts';
import type { Ui } from '../ui/ui.ts';
import { FormOverlay } from '../widgets/form.ts';
import type { Field, FormValues } from '../widgets/form.ts';
import { asked } from '../data/place.ts';
import type { ObjectPlace } from '../data/place.ts';
import { shownName } from './names.ts';

type Attributes = Result<'objects.attributes'>;
type Standard = Exclude<keyof Attributes, 'metadata'>;

const STANDARD: readonly {
  readonly name: Standard;
  readonly label: string;
  readonly help: string;
}[] = [
  { name: 'contentType', label: 'Content-Type', help: 'such as text/html; charset=utf-8' },
  {
    name: 'contentEncoding',
    label: 'Content-Encoding',
    help: 'such as gzip, if the bytes are compressed with it',
  },
  {
    name: 'contentDisposition',
    label: 'Content-Disposition',
    help: 'such as attachment; filename="a.pdf"',
  },
  { name: 'contentLanguage', label: 'Content-Language', help: 'such as en' },
  { name: 'cacheControl', label: 'Cache-Control', help: 'such as max-age=3600' },
  {
    name: 'expires',
    label: 'Expires',
    help: 'an HTTP date, such as Thu, 01 Jan 2037 00:00:00 GMT',
  },
  {
    name: 'websiteRedirect',
    label: 'website redirect',
    help: '/KEY of this bucket, or a URL',
  },
];

/** The number of empty lines for new user-defined metadata. */
const SPARE = 3;
const OWN_HELP = 'NAME=VALUE; at most 2 KB for all names and values';
/** The S3 limit for user-defined metadata: the total size of all names and values. */
const MOST_OWN_BYTES = 2_048;

export async function openMetadataForm(
  ui: Ui,
  { target, bucket, key }: ObjectPlace,
  changed: () => void,
): Promise<void> {
  const place = { target, bucket, key };
  const before = await ui.call('objects.attributes', asked(place));
  const own = Object.entries(before.metadata ?? {});
  const fields: Field[] = [
    ...STANDARD.map((each) => ({ ...each, value: before[each.name] ?? '', check: lineProblem })),
    ...Array.from({ length: own.length + SPARE }, (_, index): Field => {
      const [name, value] = own[index] ?? [];
      return {
        name: `own${index}`,
        label: `user metadata ${index + 1}`,
        value: name === undefined ? '' : `${name}=${value ?? ''}`,
        help: OWN_HELP,
        check: ownProblem,
      };
    }),
  ];
  ui.openOverlay(
    new FormOverlay(ui, {
      title: `Metadata of ${shownName(key, ui.look)}`,
      said: ['Saving copies the object onto itself. In a versioned bucket, this adds a version.'],
      fields,
      submit: async (values) => {
        const changes = changesOf(before, values);
        const { rightsKept } = await ui.call('objects.change', { ...asked(place), changes });
        const lost = rightsKept ? '' : '; the permissions of other users were not copied';
        ui.notify(`metadata of ${shownName(key, ui.look)} saved${lost}`);
        changed();
      },
    }),
  );
}

/**
 * Returns the metadata changes: the names that the form no longer contains are removed, and all
 * others are set.
 */
function changesOf(before: Attributes, values: FormValues) {
  const standard = STANDARD.map(({ name }) => [name, (values[name] ?? '').trim()] as const);
  const metadata = ownOf(values);
  const gone = [
    ...standard
      .filter(([name, value]) => value === '' && before[name] !== undefined)
      .map(([name]) => name),
    ...Object.keys(before.metadata ?? {})
      .filter((name) => metadata[name] === undefined)
      .map((name) => `metadata.${name}`),
  ];
  const set = Object.fromEntries(standard.filter(([, value]) => value !== ''));
  return { ...set, metadata, ...(gone.length > 0 ? { remove: gone } : {}) };
}

function ownOf(values: FormValues): Record<string, string> {
  const lines = Object.entries(values).filter(
    ([name, text]) => /^own\d/.test(name) && text.trim() !== '',
  );
  return Object.fromEntries(
    lines.map(([, text]) => {
      const at = text.indexOf('=');
      return [text.slice(0, at).trim().toLowerCase(), text.slice(at + 1).trim()];
    }),
  );
}

function ownProblem(text: string, all: FormValues): string | undefined {
  if (text.trim() === '') return undefined;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*=/.test(text.trim())) {
    return 'write NAME=VALUE; a name has letters, digits, hyphens, dots and underscores';
  }
  const bytes = Buffer.byteLength(Object.entries(ownOf(all)).flat().join(''));
  return bytes > MOST_OWN_BYTES
    ? `that is ${bytes} bytes: at most ${MOST_OWN_BYTES}`
    : lineProblem(text);
}

function lineProblem(text: string): string | undefined {
  return /\p{Cc}/u.test(text) ? 'control characters are not allowed' : undefined;
}

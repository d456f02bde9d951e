/**
 * Creates presigned URLs for downloads and uploads of one object. Any user who has the URL can use it until
 * it expires.
 */

import { SECOND_MS } from '../../src/base/durations.ts';
import { MAX_LINK_SECONDS } from '../../src/control/methods/links.ts';
import type { Ui } from '../ui/ui.ts';
import { FormOverlay } from '../widgets/form.ts';
import type { FormValues } from '../widgets/form.ts';
import { TextBox } from '../widgets/text-box.ts';
import { asked } from '../data/place.ts';
import type { ObjectPlace } from '../data/place.ts';
import { minuteText, readDuration } from '../../src/text/time.ts';
import { shownName } from './names.ts';

const HELP = 'such as 30m, 12h or 7d (the maximum)';

/** With a version, the URL refers to that version, even if another one becomes current. */
export function openLinkForm(ui: Ui, object: ObjectPlace): void {
  const isVersion = object.versionId !== undefined;
  ui.openOverlay(
    new FormOverlay(ui, {
      title: `Link to ${shownName(object.key, ui.look)}`,
      act: 'make',
      fields: [
        {
          name: 'does',
          label: 'allows',
          value: 'download',
          choices: ['download', 'upload'],
          help: 'upload: the uploaded content becomes this object',
          ...(isVersion ? { fixed: 'of one version' } : {}),
        },
        {
          name: 'expires',
          label: 'for',
          value: '1d',
          help: HELP,
          check: (text) => (secondsOf(text) === undefined ? HELP : undefined),
        },
      ],
      submit: (values) => make(ui, object, values),
    }),
  );
}

async function make(ui: Ui, object: ObjectPlace, values: FormValues): Promise<void> {
  const expiresSeconds = secondsOf(values['expires'] ?? '');
  if (expiresSeconds === undefined) return;
  const does = values['does'] === 'upload' ? ('put' as const) : ('get' as const);
  const { url, expiresAt, local } = await ui.call('links.create', {
    ...asked(object),
    does,
    expiresSeconds,
  });
  const way = await ui.outside.copy(url);
  const only = local ? ['The link works only on this machine.'] : [];
  const lines = [
    ui.look.name(url),
    '',
    `Valid until ${minuteText(expiresAt)}; anyone who has the link can use it without a key.`,
  ];
  ui.notify(`copied the link (${way})`);
  ui.openOverlay(
    new TextBox(ui, does === 'get' ? 'Download link' : 'Upload link', [...lines, ...only]),
  );
}

/** Returns the number of seconds; undefined if it is invalid or exceeds the limits of S3. */
export function secondsOf(typed: string): number | undefined {
  const seconds = Math.floor((readDuration(typed) ?? 0) / SECOND_MS);
  return seconds >= 1 && seconds <= MAX_LINK_SECONDS ? seconds : undefined;
}

/** Creates presigned URLs that download or upload one object. Any user who has the URL can use it until it expires. */

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

/**
 * Asks for the lifetime of a presigned URL and shows the URL. For an individual version, the URL still refers to that
 * version when another one becomes current.
 */
export function openLinkForm(ui: Ui, object: ObjectPlace): void {
  const isVersion = object.versionId !== undefined;
  ui.openOverlay(
    new FormOverlay(ui, {
      title: `Link to ${shownName(object.key, ui.look)}`,
      act: 'create',
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
          label: 'valid for',
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

/** Parses a lifetime in seconds. Returns undefined if the text is invalid or exceeds the S3 limits. */
export function secondsOf(typed: string): number | undefined {
  const seconds = Math.floor((readDuration(typed) ?? 0) / SECOND_MS);
  return seconds >= 1 && seconds <= MAX_LINK_SECONDS ? seconds : undefined;
}

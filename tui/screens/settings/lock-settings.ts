/** The bucket settings for versioning and for the default retention of new versions. */

import type { FormValues } from '../../widgets/form.ts';
import { FormOverlay } from '../../widgets/form.ts';
import { declined } from '../../acts/declined.ts';
import { NO_OBJECT_LOCK } from '../../data/object-lock.ts';
import { periodText } from '../../text/locks.ts';
import { bucketAt, NONE, unlessUnset } from './setting.ts';
import type { Setting, SettingContext } from './setting.ts';
import { readWholeNumber } from '../../../src/text/amounts.ts';
import { readDuration } from '../../../src/text/time.ts';
import { DAY_MS } from '../../../src/base/durations.ts';

/** The maximum retention periods (S3 limits). */
const MOST_DAYS = 36_500;
const MOST_YEARS = 100;
const PERIOD_HELP = `such as 30d or 7y; at most ${MOST_DAYS}d or ${MOST_YEARS}y`;

export const VERSIONING: Setting = {
  name: 'versioning',
  read: async (at, signal) => {
    const { versioning } = await at.ui.call('versioning.get', bucketAt(at), { signal });
    return versioning === undefined ? 'off' : versioning === 'Enabled' ? 'on' : 'suspended';
  },
  edit: async (at) => {
    const { versioning } = await at.ui.call('versioning.get', bucketAt(at));
    const turnsOn = versioning !== 'Enabled';
    if (!turnsOn && (await unlessUnset(at.ui.call('locks.get', bucketAt(at))))) {
      throw new Error('suspend versioning: a bucket with object lock always keeps versions');
    }
    const yes = await at.ui.ask({
      title: turnsOn ? 'Turn versioning on?' : 'Suspend versioning?',
      facts: turnsOn
        ? [
            'Overwritten and deleted content stays as older versions from now on. You can suspend versioning later, but not turn it off.',
          ]
        : [
            'Older versions stay. Objects that are stored from now on have no versions and can be lost.',
          ],
    });
    if (!yes) return;
    const wanted = turnsOn ? ('Enabled' as const) : ('Suspended' as const);
    await at.ui.call('versioning.set', { ...bucketAt(at), versioning: wanted });
    at.ui.notify(turnsOn ? 'versioning is on' : 'versioning is suspended');
    at.changed();
  },
};

export const DEFAULT_LOCK: Setting = {
  name: 'default lock',
  read: async (at, signal) => {
    const locks = await unlessUnset(at.ui.call('locks.get', bucketAt(at), { signal }));
    if (!locks) return 'no object lock';
    const { defaultRetention: retention } = locks;
    return retention ? `${retention.mode} ${periodText(retention)}` : NONE;
  },
  edit: async (at) => {
    const locks = await unlessUnset(at.ui.call('locks.get', bucketAt(at)));
    if (!locks) throw new Error(`default lock: ${NO_OBJECT_LOCK}`);
    openLockForm(at, locks.defaultRetention);
  },
};

type Default = {
  mode: 'GOVERNANCE' | 'COMPLIANCE';
  days?: number | undefined;
  years?: number | undefined;
};

function openLockForm(at: SettingContext, now: Default | undefined): void {
  at.ui.openOverlay(
    new FormOverlay(at.ui, {
      title: 'Default lock',
      said: [
        'Applies to new uploads that set no lock themselves. Existing versions keep their locks.',
      ],
      fields: [
        {
          name: 'mode',
          label: 'mode',
          value: now?.mode ?? NONE,
          choices: [NONE, 'GOVERNANCE', 'COMPLIANCE'],
          help: 'COMPLIANCE: no user can delete. GOVERNANCE: users with full access can',
        },
        {
          name: 'period',
          label: 'for',
          value: now ? periodText(now) : '30d',
          help: PERIOD_HELP,
          check: (text, all) => (all['mode'] === NONE || periodOf(text) ? undefined : PERIOD_HELP),
        },
      ],
      submit: (values) => saveLock(at, values),
    }),
  );
}

async function saveLock(at: SettingContext, { mode, period = '' }: FormValues): Promise<void> {
  const length = periodOf(period);
  if (mode === NONE || !length) {
    await at.ui.call('locks.set', bucketAt(at));
    at.ui.notify('removed the default lock');
    return at.changed();
  }
  const isFinal = mode === 'COMPLIANCE';
  if (isFinal && !(await sureOfCompliance(at, period))) throw declined();
  const defaultRetention = {
    mode: isFinal ? ('COMPLIANCE' as const) : ('GOVERNANCE' as const),
    ...length,
  };
  await at.ui.call('locks.set', { ...bucketAt(at), defaultRetention });
  at.ui.notify(`default lock: ${mode} ${period}`);
  at.changed();
}

function sureOfCompliance({ ui, place }: SettingContext, period: string): Promise<boolean> {
  return ui.ask({
    title: 'Lock all uploads in COMPLIANCE mode?',
    facts: [
      `Every new version in ${ui.look.name(place.bucket)} is locked for ${period}.`,
      'Until then no user can delete it or shorten the lock, not even the owner of the store.',
    ],
    type: place.bucket,
  });
}

/** Parses a retention period in days or years. Returns undefined if the text is invalid or exceeds the S3 limits. */
export function periodOf(text: string): { days: number } | { years: number } | undefined {
  const [, count = ''] = /^(\d+)\s*y(?:ears?)?$/i.exec(text.trim()) ?? [];
  const years = readWholeNumber(count, 1, MOST_YEARS);
  if (years !== undefined) return { years };
  const days = (readDuration(text) ?? 0) / DAY_MS;
  return readWholeNumber(String(days), 1, MOST_DAYS) === undefined ? undefined : { days };
}

/** The bucket settings for tags, limits, monitoring and website hosting. */

import { openBucketTagsForm } from '../../acts/tags.ts';
import type { Result } from '../../../src/control/messages.ts';
import { FormOverlay } from '../../widgets/form.ts';
import type { FormValues } from '../../widgets/form.ts';
import { bytesText, exactBytesText, numberText, readSize } from '../../../src/text/amounts.ts';
import { bucketAt, NONE, unlessUnset } from './setting.ts';
import type { Setting, SettingContext } from './setting.ts';
import { wholeOf, wholeProblem } from '../../text/pairs.ts';

export const TAGS: Setting = {
  name: 'tags',
  read: async (at, signal) => {
    const { tags } = await at.ui.call('buckets.tags', bucketAt(at), { signal });
    return tags.length === 0 ? NONE : tags.map(({ key, value }) => `${key}=${value}`).join('  ');
  },
  edit: (at) => openBucketTagsForm(at.ui, at.place, at.changed),
};

export const QUOTA: Setting = {
  name: 'quota',
  isLocal: true,
  read: async (at, signal) => {
    const { bytes, objects, usage } = await at.ui.call(
      'quotas.getBucket',
      { bucket: at.place.bucket },
      { signal },
    );
    return `${bytesText(usage.sizeBytes)} of ${bytesText(bytes)}, ${numberText(usage.objects)} of ${numberText(objects)} objects`;
  },
  edit: async (at) => {
    const { set } = await at.ui.call('quotas.getBucket', { bucket: at.place.bucket });
    at.ui.openOverlay(
      new FormOverlay(at.ui, {
        title: 'Quota',
        said: ['Limits of the bucket. Existing objects are kept.'],
        fields: [
          {
            name: 'bytes',
            label: 'size',
            value: set.bytes === null ? '' : exactBytesText(set.bytes),
            help: 'such as 500 GB or 2 TiB; empty: the configured default',
            check: (text) =>
              text.trim() === '' || readSize(text) !== undefined ? undefined : 'such as 500 GB',
          },
          {
            name: 'objects',
            label: 'objects',
            value: set.objects === null ? '' : numberText(set.objects),
            help: 'includes versions; empty: the configured default',
            check: (text) => wholeProblem(text.trim(), 0, Number.MAX_SAFE_INTEGER),
          },
        ],
        submit: (values) => saveQuota(at, values),
      }),
    );
  },
};

async function saveQuota(
  at: SettingContext,
  { bytes = '', objects = '' }: FormValues,
): Promise<void> {
  await at.ui.call('quotas.setBucket', {
    bucket: at.place.bucket,
    bytes: bytes.trim() === '' ? null : (readSize(bytes) ?? null),
    objects: wholeOf(objects) ?? null,
  });
  at.ui.notify('the quota is saved');
  at.changed();
}

export const MONITORING: Setting = {
  name: 'monitoring',
  isLocal: true,
  read: async (at, signal) => {
    const metrics = await at.ui.call('metrics.get', { bucket: at.place.bucket }, { signal });
    return metrics.monitored ? 'on' : "off: the bucket's alarms are inactive";
  },
  edit: async (at) => {
    const { bucket } = at.place;
    const { monitored } = await at.ui.call('metrics.get', { bucket });
    const turn = async (on: boolean) => {
      await at.ui.call('metrics.monitor', { bucket, on });
      at.changed();
    };
    await turn(!monitored);
    at.ui.notifyUndoable(`monitoring is ${monitored ? 'off' : 'on'}`, () => turn(monitored));
  },
};

type Website = Result<'website.get'>['website'];

export const WEBSITE: Setting = {
  name: 'website',
  read: async (at, signal) => {
    const answer = await unlessUnset(at.ui.call('website.get', bucketAt(at), { signal }));
    if (!answer) return NONE;
    const { website, state, url = '' } = answer;
    const what = website.redirectAll
      ? `all to ${website.redirectAll.hostName}`
      : `index ${website.indexSuffix ?? ''}`;
    const rules = website.routingRules?.length ?? 0;
    return [what, rules > 0 ? `${rules} routing rules` : '', state, url].filter(Boolean).join('  ');
  },
  edit: async (at) => {
    const answer = await unlessUnset(at.ui.call('website.get', bucketAt(at)));
    openWebsiteForm(at, answer?.website ?? {});
  },
};

const OFF = 'no website';
const PAGES = 'pages';
const REDIRECT = 'redirect all';

function openWebsiteForm(at: SettingContext, website: Website): void {
  const rules = website.routingRules?.length ?? 0;
  const is = website.redirectAll ? REDIRECT : website.indexSuffix === undefined ? OFF : PAGES;
  const needs = (kind: string, what: string) => (text: string, all: FormValues) =>
    all['kind'] === kind && text.trim() === '' ? what : undefined;
  at.ui.openOverlay(
    new FormOverlay(at.ui, {
      title: 'Website',
      said: rules > 0 ? [`Its ${rules} routing rules stay as they are.`] : [],
      fields: [
        { name: 'kind', label: 'serves', value: is, choices: [OFF, PAGES, REDIRECT] },
        {
          name: 'index',
          label: 'index page',
          value: website.indexSuffix ?? 'index.html',
          help: 'the page that a folder serves, such as index.html',
          check: needs(PAGES, 'a website needs an index page'),
        },
        {
          name: 'error',
          label: 'error page',
          value: website.errorKey ?? '',
          help: 'a key, or empty',
        },
        {
          name: 'host',
          label: 'redirect to',
          value: website.redirectAll?.hostName ?? '',
          help: 'a host name, such as www.example.com',
          check: needs(REDIRECT, 'write a host name'),
        },
        {
          name: 'public',
          label: 'public',
          value: 'no',
          choices: ['no', 'yes'],
          help: 'yes: adds a policy statement that lets everyone read and list the bucket',
        },
      ],
      submit: (values) => saveWebsite(at, website, values),
    }),
  );
}

async function saveWebsite(at: SettingContext, before: Website, values: FormValues): Promise<void> {
  const { kind, index = '', error = '', host = '' } = values;
  if (kind === OFF) {
    await at.ui.call('website.remove', bucketAt(at));
    at.ui.notify('the website is off; public read permissions remain');
    return at.changed();
  }
  const { routingRules } = before;
  const pages: Website = {
    indexSuffix: index.trim(),
    ...(error.trim() === '' ? {} : { errorKey: error.trim() }),
    ...(routingRules ? { routingRules } : {}),
  };
  const website: Website = kind === REDIRECT ? { redirectAll: { hostName: host.trim() } } : pages;
  const isPublic = values['public'] === 'yes';
  const { state, url = '' } = await at.ui.call('website.set', {
    ...bucketAt(at),
    website,
    public: isPublic,
  });
  at.ui.notify(`the website is saved: ${state} ${url}`);
  at.changed();
}

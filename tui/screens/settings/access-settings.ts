/** The bucket settings for access: the ACL, the policy and CORS. */

import { openAclForm } from '../../acts/acl.ts';
import { openDocument } from '../../acts/edit-document.ts';
import type { Params } from '../../../src/control/messages.ts';
import { isLocal } from '../../data/place.ts';
import { countText } from '../../../src/text/amounts.ts';
import { grantText } from '../../text/grants.ts';
import { bucketAt, NONE, unlessUnset } from './setting.ts';
import type { Setting, SettingContext } from './setting.ts';

export const RIGHTS: Setting = {
  name: 'permissions',
  read: async (at, signal) => {
    const { owner, grants } = await at.ui.call('acl.get', bucketAt(at), { signal });
    const others = grants.filter(({ grantee }) => grantee !== owner);
    return others.length === 0 ? 'owner only' : others.map(grantText).join('  ');
  },
  edit: (at) => openAclForm(at.ui, at.place, at.changed),
};

export const POLICY: Setting = {
  name: 'policy',
  read: async (at, signal) => {
    const answer = await unlessUnset(at.ui.call('policy.get', bucketAt(at), { signal }));
    if (!answer) return NONE;
    if (!isLocal(at.place)) return 'set';
    const checked = await at.ui.call('policy.check', { bucket: at.place.bucket }, { signal });
    const isPublic = checked.isPublic ? ', public' : '';
    return `${countText(checked.statements, 'statement')}${isPublic}`;
  },
  edit: async (at) => {
    const answer = await unlessUnset(at.ui.call('policy.get', bucketAt(at)));
    openDocument(at.ui, {
      title: 'Policy',
      fileName: 'policy.json',
      text: answer ? pretty(answer.policy) : examplePolicy(at.place.bucket),
      isNew: !answer,
      save: (text) => savePolicy(at, text),
      remove: async () => {
        await at.ui.call('policy.remove', bucketAt(at));
        at.ui.notify('the policy is removed');
        at.changed();
      },
    });
  },
};

/** Saves a bucket policy. Only the embedded store can validate the policy before saving. */
async function savePolicy(at: SettingContext, policy: string): Promise<void> {
  const { bucket } = at.place;
  if (isLocal(at.place)) {
    const { problems } = await at.ui.call('policy.check', { bucket, policy });
    const [first] = problems;
    if (first) {
      const where = first.statement === undefined ? '' : `statement ${first.statement}: `;
      const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
      throw new Error(`policy: ${where}${first.message}${more}`);
    }
  }
  await at.ui.call('policy.set', { ...bucketAt(at), policy });
  at.ui.notify('the policy is saved');
  at.changed();
}

function examplePolicy(bucket: string): string {
  const statement = {
    Sid: 'everyone-reads',
    Effect: 'Allow',
    Principal: '*',
    Action: ['s3:GetObject'],
    Resource: [`arn:aws:s3:::${bucket}/public/*`],
  };
  return `${JSON.stringify({ Version: '2012-10-17', Statement: [statement] }, null, 2)}\n`;
}

type CorsRules = Params<'cors.set'>['rules'];

export const CORS: Setting = {
  name: 'CORS',
  read: async (at, signal) => {
    const answer = await unlessUnset(at.ui.call('cors.get', bucketAt(at), { signal }));
    const rules = answer?.rules ?? [];
    const origins = rules.flatMap(({ allowedOrigins }) => allowedOrigins).join(', ');
    return rules.length === 0 ? NONE : `${countText(rules.length, 'rule')}: ${origins}`;
  },
  edit: async (at) => {
    const answer = await unlessUnset(at.ui.call('cors.get', bucketAt(at)));
    const rules = answer?.rules ?? [];
    openDocument(at.ui, {
      title: 'CORS rules',
      fileName: 'cors.json',
      text: `${JSON.stringify(rules.length > 0 ? rules : EXAMPLE_CORS, null, 2)}\n`,
      isNew: rules.length === 0,
      save: async (text) => {
        const wanted = JSON.parse(text) as CorsRules;
        await at.ui.call('cors.set', { ...bucketAt(at), rules: wanted });
        at.ui.notify('the CORS rules are saved');
        at.changed();
      },
      remove: async () => {
        await at.ui.call('cors.remove', bucketAt(at));
        at.ui.notify('the CORS rules are removed');
        at.changed();
      },
    });
  },
};

const EXAMPLE_CORS: CorsRules = [
  {
    allowedOrigins: ['https://www.example.com'],
    allowedMethods: ['GET', 'HEAD'],
    allowedHeaders: ['*'],
    exposeHeaders: ['ETag'],
    maxAgeSeconds: 3600,
  },
];

function pretty(json: string): string {
  try {
    return `${JSON.stringify(JSON.parse(json), null, 2)}\n`;
  } catch {
    // A service may store a text that is not valid JSON. It is shown unchanged.
    return json;
  }
}

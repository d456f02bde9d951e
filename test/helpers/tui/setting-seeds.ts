/** Bucket settings of the fake daemon. */

import { ControlError } from '../../../src/control/control-error.ts';
import type { Answers } from './seeded-daemon.ts';
import { NOW } from './seeds.ts';

export const settingAnswers: Answers = {
  'versioning.get': () => ({ versioning: 'Enabled' }),
  'locks.get': () => ({ defaultRetention: { mode: 'GOVERNANCE', days: 30 } }),
  'policy.get': () => {
    throw new ControlError('Storage', 'there is none', { storageCode: 'NoSuchBucketPolicy' });
  },
  'policy.check': () => ({
    statements: 1,
    isPublic: true,
    problems: [{ statement: 1, message: 'no such action' }],
  }),
  'lifecycle.get': () => ({
    rules: [
      { id: 'old', enabled: true, filter: { prefix: 'logs/' }, expiration: { days: 30 } },
      { id: 'api', enabled: true, filter: { sizeGreaterThan: 10 }, expiration: { days: 3 } },
    ],
  }),
  'lifecycle.set': () => ({}),
  'lifecycle.preview': () => ({
    changes: [
      {
        bucket: 'archive',
        key: 'logs/a\u{1b}[2J',
        action: 'remove',
        versionId: 'v1',
        ruleId: 'old',
        sizeBytes: 10,
        lastModifiedAt: NOW - 40 * 86_400_000,
        locked: true,
      },
    ],
    looked: 1,
    at: NOW,
    clockAheadMs: 0,
  }),
  'cors.get': () => {
    throw new ControlError('Storage', 'none', { storageCode: 'NoSuchCORSConfiguration' });
  },
  'website.get': () => {
    throw new ControlError('Storage', 'none', { storageCode: 'NoSuchWebsiteConfiguration' });
  },
  'buckets.tags': () => ({ tags: [{ key: 'team', value: 'core' }] }),
  'locks.set': () => ({}),
  'quotas.getBucket': () => ({
    bytes: 1e12,
    objects: 1e6,
    set: { bytes: null, objects: null },
    usage: { objects: 12, sizeBytes: 4_100 },
  }),
  'metrics.get': ({ bucket }) => ({
    bucket,
    createdAt: 0,
    monitored: true,
    sizeBytes: 0,
    objects: 0,
    versions: 0,
    versionBytes: 0,
    deleteMarkers: 0,
    parts: 0,
    partBytes: 0,
    heads: { count: 0, isAll: true },
  }),
};

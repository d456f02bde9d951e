/** Contract tests of the CORS rules and the website configuration of a bucket. */

import { describe, expect, test } from 'vitest';

import type { CorsRule } from '../../../src/object-store/cors.ts';
import type { WebsiteConfiguration } from '../../../src/object-store/website.ts';
import { expectRefusal, put } from './subject.ts';
import type { Subject } from './subject.ts';

const RULES: readonly CorsRule[] = [
  {
    id: 'an "id" & more',
    allowedOrigins: ['https://*.a.test', 'http://localhost:3000'],
    allowedMethods: ['PUT', 'POST', 'DELETE'],
    allowedHeaders: ['*'],
    exposeHeaders: ['ETag', 'x-svc-request-id'],
    maxAgeSeconds: 3000,
  },
  { allowedOrigins: ['*'], allowedMethods: ['GET', 'HEAD'] },
];

const WEBSITES: readonly WebsiteConfiguration[] = [
  { indexSuffix: 'index.html' },
  { indexSuffix: 'start <1>.html', errorKey: 'errors/4 & 5.html' },
  { redirectAll: { hostName: 'www.a.test:8443', protocol: 'https' } },
  { redirectAll: { hostName: 'www.a.test' } },
  {
    indexSuffix: 'index.html',
    routingRules: [
      { condition: { keyPrefix: 'docs/' }, redirect: { replaceKeyPrefixWith: 'documents/' } },
      {
        condition: { keyPrefix: '', errorStatus: 404 },
        redirect: { protocol: 'https', hostName: 'a.test', replaceKeyWith: 'x', status: 307 },
      },
      { redirect: { hostName: 'b.test' } },
    ],
  },
];

export function testBrowserConfig(subject: Subject): void {
  describe('the CORS rules of a bucket', () => {
    test('[cors-13] the store returns CORS rules as they were put, replaces them on the next put, and can delete them', async () => {
      const bucket = await subject.bucket();
      const { store } = subject;
      await expectRefusal(store.getCors({ bucket }), 'NoSuchCORSConfiguration');
      await store.putCors({ bucket, rules: RULES });
      expect(await store.getCors({ bucket })).toEqual({ rules: RULES });
      await store.putCors({ bucket, rules: RULES.slice(1) });
      expect(await store.getCors({ bucket })).toEqual({ rules: RULES.slice(1) });
      await store.deleteCors({ bucket });
      await expectRefusal(store.getCors({ bucket }), 'NoSuchCORSConfiguration');
      await store.deleteCors({ bucket });
    });

    test('[cors-1] a list of CORS rules with an invalid rule is rejected as a whole, and the previous rules remain', async () => {
      const bucket = await subject.bucket();
      await subject.store.putCors({ bucket, rules: RULES });
      const bad: CorsRule = { allowedOrigins: ['https://*.*'], allowedMethods: ['GET'] };
      const attempt = subject.store.putCors({ bucket, rules: [...RULES, bad] });
      await expectRefusal(attempt, 'InvalidRequest');
      await expectRefusal(subject.store.putCors({ bucket, rules: [] }), 'MalformedXML');
      expect(await subject.store.getCors({ bucket })).toEqual({ rules: RULES });
    });

    test('[cors-14] a user of another project cannot read or change CORS rules, and DeleteBucket deletes them', async () => {
      const bucket = await subject.bucket();
      await subject.store.putCors({ bucket, rules: RULES });
      const { stranger } = subject.opened;
      if (stranger) {
        await expectRefusal(stranger.getCors({ bucket }), 'AccessDenied');
        await expectRefusal(stranger.deleteCors({ bucket }), 'AccessDenied');
        await expectRefusal(stranger.putCors({ bucket, rules: RULES }), 'AccessDenied');
      }
      await subject.store.deleteBucket({ bucket });
      await expectRefusal(subject.store.getCors({ bucket }), 'NoSuchBucket');
      await subject.store.createBucket({ bucket });
      await expectRefusal(subject.store.getCors({ bucket }), 'NoSuchCORSConfiguration');
    });
  });

  describe('the website configuration of a bucket', () => {
    test('[web-1] the store returns a website configuration as it was put, replaces it on the next put, and can delete it', async () => {
      const bucket = await subject.bucket();
      const { store } = subject;
      await expectRefusal(store.getWebsite({ bucket }), 'NoSuchWebsiteConfiguration');
      for (const website of WEBSITES) {
        await store.putWebsite({ bucket, website });
        expect(await store.getWebsite({ bucket })).toEqual(website);
      }
      await store.deleteWebsite({ bucket });
      await expectRefusal(store.getWebsite({ bucket }), 'NoSuchWebsiteConfiguration');
      await store.deleteWebsite({ bucket });
    });

    test('[web-2] an invalid website configuration is rejected, and the previous configuration remains', async () => {
      const bucket = await subject.bucket();
      const website = { indexSuffix: 'index.html' };
      await subject.store.putWebsite({ bucket, website });
      for (const [bad, code] of [
        [{}, 'InvalidArgument'],
        [{ ...website, redirectAll: { hostName: 'a.test' } }, 'InvalidRequest'],
        [{ ...website, routingRules: [{ redirect: {} }] }, 'InvalidRequest'],
      ] as const) {
        await expectRefusal(subject.store.putWebsite({ bucket, website: bad }), code);
      }
      expect(await subject.store.getWebsite({ bucket })).toEqual(website);
    });

    test('[web-3] a user of another project cannot read or change a website configuration, and it makes no object public', async () => {
      const bucket = await subject.bucket();
      const website = { indexSuffix: 'index.html' };
      await put(subject.store, { bucket, key: 'index.html' }, 'text');
      await subject.store.putWebsite({ bucket, website });
      const { stranger } = subject.opened;
      if (!stranger) return;
      await expectRefusal(stranger.getWebsite({ bucket }), 'AccessDenied');
      await expectRefusal(stranger.deleteWebsite({ bucket }), 'AccessDenied');
      await expectRefusal(stranger.putWebsite({ bucket, website }), 'AccessDenied');
      const read = stranger.getObject({ bucket, key: 'index.html' });
      await expectRefusal(read, 'AccessDenied');
    });
  });
}

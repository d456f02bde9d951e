/** Checks of CORS rules and websites with `aws s3api` and `aws s3 website`. */

import assert from 'node:assert/strict';

import { writeContent } from '../content.ts';
import { preflight, visit } from '../visitors.ts';
import type { Aws } from './aws.ts';

export async function checkBrowsers(aws: Aws): Promise<void> {
  const { lane } = aws;
  const bucket = lane.bucketName('browsers');
  await aws.api('create-bucket', { bucket });

  await lane.check(
    'put-bucket-cors sets the rules for preflights, and delete-bucket-cors removes them',
    async () => {
      const CORSRules = [
        {
          AllowedOrigins: ['https://*.a.test'],
          AllowedMethods: ['GET', 'PUT'],
          AllowedHeaders: ['*'],
          ExposeHeaders: ['ETag'],
          MaxAgeSeconds: 3000,
        },
      ];
      await aws.refused('NoSuchCORSConfiguration', 'get-bucket-cors', { bucket });
      await aws.api('put-bucket-cors', { bucket, corsConfiguration: { CORSRules } });
      assert.deepEqual(await aws.api('get-bucket-cors', { bucket }), { CORSRules });
      assert.equal(await preflight(lane, bucket, 'https://app.a.test'), 200);
      assert.equal(await preflight(lane, bucket, 'https://b.test'), 403);
      const bad = { CORSRules: [{ AllowedOrigins: ['*.a.*'], AllowedMethods: ['GET'] }] };
      await aws.refused('InvalidRequest', 'put-bucket-cors', { bucket, corsConfiguration: bad });
      await aws.api('delete-bucket-cors', { bucket });
      await aws.refused('NoSuchCORSConfiguration', 'get-bucket-cors', { bucket });
    },
  );

  await lane.check(
    's3 website and put-bucket-website configure a website, and delete-bucket-website removes it',
    async () => {
      const names = ['--index-document', 'index.html', '--error-document', 'error.html'];
      await aws.s3('website', `s3://${bucket}/`, ...names);
      const index = {
        IndexDocument: { Suffix: 'index.html' },
        ErrorDocument: { Key: 'error.html' },
      };
      assert.deepEqual(await aws.api('get-bucket-website', { bucket }), index);
      for (const key of ['index.html', 'error.html', 'documents/a']) {
        writeContent(lane.path('page'), key);
        await aws.api('put-object', { bucket, key, body: lane.path('page'), acl: 'public-read' });
      }
      assert.deepEqual(await visit(lane, bucket, ''), [200, 'index.html']);
      assert.equal((await visit(lane, bucket, 'docs/a'))[0], 403);
      const RoutingRules = [
        {
          Condition: { HttpErrorCodeReturnedEquals: '403', KeyPrefixEquals: 'docs/' },
          Redirect: { HttpRedirectCode: '302', ReplaceKeyPrefixWith: 'documents/' },
        },
      ];
      const websiteConfiguration = { ...index, RoutingRules };
      await aws.api('put-bucket-website', { bucket, websiteConfiguration });
      assert.deepEqual(await aws.api('get-bucket-website', { bucket }), websiteConfiguration);
      assert.deepEqual(await visit(lane, bucket, 'docs/a'), [200, 'documents/a']);
      const bad = { IndexDocument: { Suffix: 'a/b.html' } };
      const refused = { bucket, websiteConfiguration: bad };
      await aws.refused('InvalidArgument', 'put-bucket-website', refused);
      await aws.api('delete-bucket-website', { bucket });
      assert.equal((await visit(lane, bucket, ''))[0], 404);
      await aws.refused('NoSuchWebsiteConfiguration', 'get-bucket-website', { bucket });
    },
  );
}

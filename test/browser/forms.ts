/**
 * Tests uploading a file to a bucket from an HTML form in a browser (specification, "POST … from HTML forms";
 * semantics B.11.5).
 */

import { match, rejects, strictEqual } from 'node:assert';

import { amzDialect } from '../../src/protocol/dialect.ts';
import { signatureFields, signPolicy } from '../helpers/form.ts';
import { expectVisited, type Given, type Subject } from './check.ts';

const MAX_BYTES = 100;

export const forms: Subject = {
  setUp: async ({ holdfast, put }) => {
    await holdfast('s3', 'mb', 'desk');
    await put('desk/done.html', '<!DOCTYPE html><p>thank you</p>');
    await holdfast('s3', 'website', 'set', 'desk', '--index', 'form.html', '--public');
    await holdfast('s3', 'mb', 'inbox');
  },
  checks: [
    {
      claim: '[form-6] an HTML form stores the selected file and redirects to the success page',
      run: async (page, given) => {
        const { site } = given;
        await site.put('desk/form.html', formFor(given));
        await page.visit(`${site.websiteOf('desk')}/`);
        await page.chooseFile('input[type=file]', site.file('report ü.txt', 'the report'));
        const visited = await page.click('button');
        expectVisited(visited, { status: 200, text: 'thank you' });
        match(visited.url, /\/done\.html\?bucket=inbox&key=from-web%2F.*&etag=/);
        strictEqual(
          await site.holdfast('s3', 'get', 'inbox/from-web/report ü.txt', '-'),
          'the report',
        );
      },
    },
    {
      claim: '[form-8] an HTML form stores no file that its policy does not allow',
      run: async (page, given) => {
        const { site } = given;
        await site.put('desk/form.html', formFor(given));
        await page.visit(`${site.websiteOf('desk')}/`);
        await page.chooseFile(
          'input[type=file]',
          site.file('large.txt', 'x'.repeat(MAX_BYTES + 1)),
        );
        const { status, text } = await page.click('button');
        strictEqual(status, 400);
        match(text, /EntityTooLarge/);
        await rejects(
          site.holdfast('s3', 'get', 'inbox/from-web/large.txt', '-'),
          /does not exist|NoSuchKey/i,
        );
      },
    },
  ],
};

function formFor({ site }: Given): string {
  const { accessKeyId, secretAccessKey, region } = site.credentials;
  const now = Date.now();
  const credentials = { accessKeyId, secretAccessKey };
  const signing = { dialect: amzDialect, region, credentials, now };
  const done = `${site.websiteOf('desk')}/done.html`;
  const signed = signatureFields(signing);
  const fields = { ...signed, key: 'from-web/${filename}', success_action_redirect: done };
  const policy = {
    expiration: new Date(now + 60_000).toISOString(),
    conditions: [
      { bucket: 'inbox' },
      ['starts-with', '$key', 'from-web/'],
      { success_action_redirect: done },
      ['content-length-range', 0, MAX_BYTES],
      ...Object.entries(signed).map(([name, value]) => ({ [name]: value })),
    ],
  };
  const inputs = Object.entries({ ...fields, ...signPolicy(policy, signing) }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
  );
  return `<!DOCTYPE html><meta charset="utf-8">
<form action="${site.endpoint}/inbox" method="post" enctype="multipart/form-data">
${inputs.join('\n')}<input type="file" name="file"><button>send</button></form>`;
}

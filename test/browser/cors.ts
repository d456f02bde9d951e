/**
 * Checks which requests a web page of another origin may send to buckets (specification, "CORS
 * rule").
 */

import { deepStrictEqual, rejects, strictEqual } from 'node:assert';

import type { Given, Subject } from './check.ts';
import type { Page } from './page.ts';
import { jsonOf } from '../helpers/run-cli.ts';

/**
 * Creates a bucket for each kind of CORS rule. The page that sends the requests is the website of
 * the bucket `app`.
 */
export const cors: Subject = {
  setUp: async ({ holdfast, put, websiteOf }) => {
    await holdfast('s3', 'mb', 'app');
    await put('app/index.html', '<!DOCTYPE html><p>app</p>');
    await holdfast('s3', 'website', 'set', 'app', '--public');
    for (const bucket of ['allowed', 'any', 'others', 'without']) {
      await holdfast('s3', 'mb', bucket);
      await put(`${bucket}/hello.txt`, `hello from ${bucket}`);
      await holdfast('s3', 'acl', 'set', `${bucket}/hello.txt`, '--public');
    }
    const own = ['--origin', websiteOf('app'), '--method', 'GET,PUT', '--header', 'content-type'];
    await holdfast('s3', 'cors', 'add', 'allowed', ...own, '--expose', 'ETag');
    await holdfast('s3', 'cors', 'add', 'any', '--origin', '*');
    await holdfast('s3', 'cors', 'add', 'others', '--origin', 'https://*.example.com');
  },
  checks: [
    {
      claim:
        '[cors-19] a script reads an object that a CORS rule allows, and only its exposed headers',
      run: async (page, given) => {
        const shown = await fetched(page, given, 'allowed/hello.txt');
        deepStrictEqual(shown.slice(0, 2), [200, 'hello from allowed']);
        const read = (name: string) =>
          page.evaluate(
            `fetch(${url(given, 'allowed/hello.txt')}).then((a) => a.headers.get('${name}'))`,
          );
        strictEqual(typeof (await read('etag')), 'string');
        strictEqual(await read('x-svc-request-id'), null);
      },
    },
    {
      claim: '[cors-21] a script cannot read a public object if no CORS rule allows its origin',
      run: async (page, given) => {
        for (const object of ['others/hello.txt', 'without/hello.txt']) {
          await rejects(fetched(page, given, object), /Failed to fetch/);
          strictEqual((await page.visit(`${given.site.endpoint}/${object}`)).status, 200);
        }
      },
    },
    {
      claim:
        '[cors-20] a script can read the AccessDenied response if a CORS rule allows its origin',
      run: async (page, given) => {
        const [status, text] = await fetched(page, given, 'allowed/missing.txt');
        strictEqual(status, 403);
        strictEqual(text.includes('<Code>AccessDenied</Code>'), true);
      },
    },
    {
      claim:
        '[cors-15] a script uploads with a presigned URL if a CORS rule allows the method and the header',
      run: async (page, given) => {
        const put = await putBy(page, given, { object: 'allowed/new.txt', type: 'text/x-app' });
        strictEqual(put, 200);
        strictEqual(await given.site.holdfast('s3', 'get', 'allowed/new.txt', '-'), 'by a script');
      },
    },
    {
      claim: '[cors-16] a script cannot upload an object if no CORS rule allows the method',
      run: async (page, given) => {
        const put = putBy(page, given, { object: 'any/new.txt', type: 'text/x-app' });
        await rejects(put, /Failed to fetch/);
        await rejects(
          given.site.holdfast('s3', 'get', 'any/new.txt', '-'),
          /no-such|NoSuchKey|does not exist|none/i,
        );
      },
    },
    {
      claim:
        '[cors-11] a request with cookies succeeds if the CORS rule names the origin, but not if it allows *',
      run: async (page, given) => {
        const shown = await fetched(page, given, 'allowed/hello.txt', "{credentials: 'include'}");
        strictEqual(shown[0], 200);
        strictEqual((await fetched(page, given, 'any/hello.txt'))[0], 200);
        const withCookies = fetched(page, given, 'any/hello.txt', "{credentials: 'include'}");
        await rejects(withCookies, /Failed to fetch/);
      },
    },
  ],
};

function url({ site }: Given, object: string): string {
  return JSON.stringify(`${site.endpoint}/${object}`);
}

/** Returns the status and the text that a script on the website of `app` receives for a request. */
async function fetched(page: Page, given: Given, object: string, options = '{}') {
  await page.visit(`${given.site.websiteOf('app')}/`);
  const script = `fetch(${url(given, object)}, ${options}).then(async (a) => [a.status, await a.text()])`;
  return (await page.evaluate(script)) as [number, string];
}

async function putBy(
  page: Page,
  { site }: Given,
  { object, type }: { readonly object: string; readonly type: string },
): Promise<unknown> {
  const link = (
    jsonOf(await site.holdfast('s3', 'link', object, '--put', '--json')) as { url: string }
  ).url;
  await page.visit(`${site.websiteOf('app')}/`);
  const options = JSON.stringify({
    method: 'PUT',
    body: 'by a script',
    headers: { 'content-type': type },
  });
  return page.evaluate(`fetch(${JSON.stringify(link)}, ${options}).then((a) => a.status)`);
}

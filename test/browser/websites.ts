/** Checks the website of a bucket in the browser (specification, "Website configuration"). */

import { deepStrictEqual, match, strictEqual } from 'node:assert';

import { expectVisited, type Subject } from './check.ts';

const html = (body: string) => `<!DOCTYPE html><meta charset="utf-8"><title>a page</title>${body}`;

export const websites: Subject = {
  setUp: async ({ holdfast, put, file }) => {
    await holdfast('s3', 'mb', 'pages');
    await put('pages/index.html', html('<p>home ✓</p><a href="docs/">docs</a>'));
    await put(
      'pages/docs/index.html',
      html('<p>docs</p><link rel="stylesheet" href="style.css"><a href="../missing">missing</a>'),
    );
    await put('pages/docs/style.css', 'p { color: rgb(1, 2, 3) }');
    await put('pages/error.html', html('<p>nothing here</p><a href="/">home</a>'));
    const rules = [
      { Condition: { KeyPrefixEquals: 'old/' }, Redirect: { ReplaceKeyPrefixWith: 'docs/' } },
    ];
    const rulesFile = file('rules.json', JSON.stringify(rules));
    const given = ['--error', 'error.html', '--rules', rulesFile, '--public'];
    await holdfast('s3', 'website', 'set', 'pages', ...given);
    await holdfast('s3', 'mb', 'bare');
    await put('bare/index.html', html('bare'));
    await holdfast('s3', 'website', 'set', 'bare', '--public');
    await holdfast('s3', 'mb', 'moved');
    await holdfast(
      's3',
      'website',
      'set',
      'moved',
      '--redirect-all',
      new URL(await addressOf(holdfast)).host,
    );
    await holdfast('s3', 'mb', 'closed');
    await put('closed/index.html', html('secret'));
    await holdfast('s3', 'website', 'set', 'closed');
  },
  checks: [
    {
      claim: '[web-18] the root of a website shows the index document',
      run: async (page, { site }) => {
        const visited = await page.visit(`${site.websiteOf('pages')}/`);
        expectVisited(visited, { status: 200, text: 'home ✓\n\ndocs' });
        strictEqual(await page.evaluate('document.title'), 'a page');
      },
    },
    {
      claim:
        '[web-19] a folder of a website shows its index document, and relative links work there',
      run: async (page, { site }) => {
        const address = site.websiteOf('pages');
        await page.visit(`${address}/`);
        const shown = { status: 200, url: `${address}/docs/`, text: 'docs\n\nmissing' };
        expectVisited(await page.click('a'), shown);
        expectVisited(await page.visit(`${address}/docs`), shown);
        const colour = await page.evaluate("getComputedStyle(document.querySelector('p')).color");
        strictEqual(colour, 'rgb(1, 2, 3)');
      },
    },
    {
      claim:
        '[web-26] a missing page shows the error document, and the links of that document work',
      run: async (page, { site }) => {
        const address = site.websiteOf('pages');
        await page.visit(`${address}/docs/`);
        const missing = await page.click('a');
        expectVisited(missing, {
          status: 404,
          url: `${address}/missing`,
          text: 'nothing here\n\nhome',
        });
        expectVisited(await page.click('a'), { status: 200, url: `${address}/` });
      },
    },
    {
      claim:
        '[web-25] a website without an error document shows the standard error page, which runs no script that the URL contains',
      run: async (page, { site }) => {
        const script = encodeURIComponent('<img src=x onerror="document.title = 1"><b>x</b>');
        const { status, text } = await page.visit(`${site.websiteOf('bare')}/${script}`);
        strictEqual(status, 404);
        match(text, /^404 Not Found\n/);
        match(text, /Code: NoSuchKey/);
        match(text, /Key: <img src=x onerror="document.title = 1"><b>x<\/b>/);
        const found = await page.evaluate(
          "[document.title, document.querySelectorAll('img, b').length]",
        );
        deepStrictEqual(found, ['404 Not Found', 0]);
      },
    },
    {
      claim: '[web-24] a website answers 403 for a page that is not public',
      run: async (page, { site }) => {
        const { status, text } = await page.visit(`${site.websiteOf('closed')}/`);
        strictEqual(status, 403);
        match(text, /Code: AccessDenied/);
      },
    },
    {
      claim: '[web-15] a routing rule redirects the browser to another prefix',
      run: async (page, { site }) => {
        const address = site.websiteOf('pages');
        const visited = await page.visit(`${address}/old/style.css?x=1`);
        expectVisited(visited, { status: 200, url: `${address}/docs/style.css` });
      },
    },
    {
      claim: '[web-6] a bucket can redirect all requests to the website of another bucket',
      run: async (page, { site }) => {
        const visited = await page.visit(`${site.websiteOf('moved')}/docs/`);
        expectVisited(visited, { status: 200, url: `${site.websiteOf('pages')}/docs/` });
      },
    },
    {
      claim: '[web-30] a website host name without a bucket shows the standard error page',
      run: async (page, { site }) => {
        const { status, text } = await page.visit(`${site.websiteOf('no-such-bucket')}/`);
        strictEqual(status, 404);
        match(text, /Code: NoSuchBucket/);
      },
    },
  ],
};

async function addressOf(holdfast: (...argv: string[]) => Promise<string>): Promise<string> {
  return (await holdfast('s3', 'website', 'get', 'pages')).split('\n')[0] ?? '';
}

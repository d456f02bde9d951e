/** Declares the commands for bucket websites and CORS rules. */

import type { Command } from 'commander';

import type { AddCorsOptions } from './cors.ts';
import { collect, declare } from '../../declare.ts';
import type { Run } from '../../program.ts';
import type { SetWebsiteOptions } from './website.ts';

export function declareCommands(program: Command, run: Run): void {
  declareWebsite(program, run);
  declareCors(program, run);
}

function declareWebsite(program: Command, run: Run): void {
  const website = declare(program, {
    usage: 'website',
    summary: 'serve a bucket as a website',
    more: 'Websites are served if `website` is set below `storage` in config.yaml.',
    examples: ['holdfast s3 website set pages --public', 'holdfast s3 website get pages'],
  }).helpCommand(false);

  declare(website, {
    usage: 'get <bucket>',
    summary: 'print the URL and the configuration of a website',
    more: 'Exit code 3 if visitors cannot see it.',
    examples: ['holdfast s3 website get pages'],
  }).action((bucket: string) =>
    run(async (context) => (await import('./website.ts')).getWebsite(context, bucket)),
  );

  declare(website, {
    usage: 'set <bucket>',
    summary: 'configure the website of a bucket, and print its URL',
    more:
      'FILE is JSON: a list of routing rules with the element names of S3. With --public everyone may read ' +
      'and list the bucket, by the statement PublicWebsite of its policy. Exit code 3 if visitors cannot see it.',
    examples: [
      'holdfast s3 website set pages --public',
      'holdfast s3 website set pages --index start.html --error 404.html --rules rules.json',
      'holdfast s3 website set old-pages --redirect-all https://www.example.com',
      `echo '[{"Condition": {"KeyPrefixEquals": "docs/"}, "Redirect": {"ReplaceKeyPrefixWith": "documents/"}}]' |
      holdfast s3 website set pages --rules -`,
    ],
  })
    .option('--index <name>', 'index document of a folder; default: index.html')
    .option('--error <key>', 'error document')
    .option('--redirect-all <host>', 'redirect every request to HOST or https://HOST')
    .option('--rules <file>', 'routing rules; - is standard input')
    .option('--public', 'let everyone read and list the bucket')
    .action((bucket: string, options: SetWebsiteOptions) =>
      run(async (context) => (await import('./website.ts')).setWebsite(context, bucket, options)),
    );
}

function declareCors(program: Command, run: Run): void {
  const cors = declare(program, {
    usage: 'cors',
    summary: 'show and set the CORS rules of a bucket',
    more: 'CORS rules grant no permissions: see `holdfast s3 acl` and `holdfast s3 policy`.',
    examples: [
      'holdfast s3 cors add photos --origin https://app.example.com',
      'holdfast s3 cors get photos',
    ],
  }).helpCommand(false);

  declare(cors, {
    usage: 'set <bucket> <file>',
    summary: 'replace the CORS rules of a bucket; FILE - is standard input',
    more: 'FILE is JSON: a list of rules, as in the result of `s3 cors get --json` or in other tools.',
    examples: ['holdfast s3 cors set photos cors.json'],
  }).action((bucket: string, file: string) =>
    run(async (context) => (await import('./cors.ts')).setCors(context, bucket, file)),
  );

  declare(cors, {
    usage: 'add <bucket>',
    summary: 'append a CORS rule to those of a bucket',
    more: 'An ORIGIN is https://HOST, https://HOST:PORT, https://*.DOMAIN or *. Lists may be separated by commas.',
    examples: [
      'holdfast s3 cors add photos --origin https://app.example.com',
      "holdfast s3 cors add photos --origin 'https://*.example.com' --method GET,PUT --header '*' --expose ETag --max-age 1h",
    ],
  })
    .requiredOption('--origin <origin>', 'allowed origin; may be repeated', collect)
    .option(
      '--method <methods>',
      'allowed methods: GET, PUT, POST, DELETE, HEAD; default: GET,HEAD',
      collect,
    )
    .option('--header <headers>', 'allowed request headers; * allows all', collect)
    .option('--expose <headers>', 'response headers that scripts may read', collect)
    .option('--max-age <duration>', 'how long browsers may cache the rule, such as 1h')
    .action((bucket: string, options: AddCorsOptions) =>
      run(async (context) => (await import('./cors.ts')).addCors(context, bucket, options)),
    );
}

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
    more: 'Websites are served where `website` is set below `storage` in config.yaml.',
    examples: ['holdfast s3 website set pages --public', 'holdfast s3 website get pages'],
  }).helpCommand(false);

  declare(website, {
    usage: 'get <bucket>',
    summary: 'print the address of a website, and how it is set',
    more: 'Exit code 3 when its visitors do not get to see it.',
    examples: ['holdfast s3 website get pages'],
  }).action((bucket: string) =>
    run(async (context) => (await import('./website.ts')).getWebsite(context, bucket)),
  );

  declare(website, {
    usage: 'set <bucket>',
    summary: 'make a bucket a website, and print its address',
    more:
      'FILE is JSON: a list of routing rules, in the words of the storage protocol. With --public everyone may read ' +
      "and list the bucket, by the statement PublicWebsite of its policy. Exit code 3 when visitors don't get to see it.",
    examples: [
      'holdfast s3 website set pages --public',
      'holdfast s3 website set pages --index start.html --error 404.html --rules rules.json',
      'holdfast s3 website set old-pages --redirect-all https://www.example.com',
      `echo '[{"Condition": {"KeyPrefixEquals": "docs/"}, "Redirect": {"ReplaceKeyPrefixWith": "documents/"}}]' |
      holdfast s3 website set pages --rules -`,
    ],
  })
    .option('--index <name>', 'what is shown for a folder; index.html without')
    .option('--error <key>', 'the object that is shown with errors')
    .option('--redirect-all <host>', 'send every request there: HOST, or https://HOST')
    .option('--rules <file>', 'routing rules; - is the standard input')
    .option('--public', 'let everyone read and list the bucket')
    .action((bucket: string, options: SetWebsiteOptions) =>
      run(async (context) => (await import('./website.ts')).setWebsite(context, bucket, options)),
    );
}

function declareCors(program: Command, run: Run): void {
  const cors = declare(program, {
    usage: 'cors',
    summary: 'say which web pages may use a bucket from a browser',
    more: 'It gives no rights: who may do what is said by `holdfast s3 acl` and `holdfast s3 policy`.',
    examples: [
      'holdfast s3 cors add photos --origin https://app.example.com',
      'holdfast s3 cors get photos',
    ],
  }).helpCommand(false);

  declare(cors, {
    usage: 'set <bucket> <file>',
    summary: 'replace the CORS rules of a bucket; FILE - is the standard input',
    more: 'FILE is JSON: a list of rules, as the result of `s3 cors get --json` has it or as other tools write it.',
    examples: ['holdfast s3 cors set photos cors.json'],
  }).action((bucket: string, file: string) =>
    run(async (context) => (await import('./cors.ts')).setCors(context, bucket, file)),
  );

  declare(cors, {
    usage: 'add <bucket>',
    summary: 'add a CORS rule behind those that a bucket has',
    more: 'An ORIGIN is https://HOST, https://HOST:PORT, https://*.DOMAIN or *. Lists may be separated by commas.',
    examples: [
      'holdfast s3 cors add photos --origin https://app.example.com',
      "holdfast s3 cors add photos --origin 'https://*.example.com' --method GET,PUT --header '*' --expose ETag --max-age 1h",
    ],
  })
    .requiredOption('--origin <origin>', 'whose pages it is about; may be given again', collect)
    .option('--method <methods>', 'GET, PUT, POST, DELETE, HEAD; GET,HEAD without', collect)
    .option('--header <headers>', 'what such a page may send; * is any', collect)
    .option('--expose <headers>', 'what its scripts may read of answers', collect)
    .option('--max-age <duration>', 'how long browsers may remember the rule, such as 1h')
    .action((bucket: string, options: AddCorsOptions) =>
      run(async (context) => (await import('./cors.ts')).addCors(context, bucket, options)),
    );
}

/** Declares the commands for ACLs and bucket policies. */

import type { Command } from 'commander';

import type { AclOptions, ChangeAclOptions } from './acl.ts';
import { collect, declare } from '../../declare.ts';
import type { ExplainOptions } from './policy.ts';
import type { Run } from '../../program.ts';

export function declareCommands(program: Command, run: Run): void {
  const acl = declare(program, {
    usage: 'acl',
    summary: 'say what others may do with a bucket or an object',
    more:
      'PLACE is BUCKET, BUCKET/KEY or a path in the folder of a job. A right is read, write, read-acl, write-acl or full; it is given to ' +
      'PROJECT@CUSTOMER, PROJECT:USER@CUSTOMER, email:ADDRESS of a project, authenticated or everyone. ' +
      'Uploading an object again takes all rights on it away.',
    examples: [
      'holdfast s3 acl grant photos read:films@umbrella',
      'holdfast s3 acl set photos/logo.png public-read',
    ],
  }).helpCommand(false);
  declareAcl(acl, run);
  declareAclChanges(acl, run);

  const policy = declare(program, {
    usage: 'policy',
    summary: 'set the rules of a bucket, and see who may do what by them',
    examples: [
      'holdfast s3 policy check photos policy.json',
      'holdfast s3 policy set photos policy.json',
    ],
  }).helpCommand(false);
  declareQuestions(policy, run);
}

const VERSION_ID = ['--version-id <id>', 'of this version instead of the current one'] as const;

function declareAcl(acl: Command, run: Run): void {
  declare(acl, {
    usage: 'get <place>',
    summary: 'show the rights of others',
    examples: ['holdfast s3 acl get photos', 'holdfast s3 acl get photos/2026/a.jpg --json'],
  })
    .option(...VERSION_ID)
    .action((place: string, options: AclOptions) =>
      run(async (context) => (await import('./acl.ts')).getAcl(context, place, options)),
    );
}

function declareAclChanges(acl: Command, run: Run): void {
  withChangeOptions(
    declare(acl, {
      usage: 'set <place> [rights...]',
      summary: 'replace all rights of others by these, or by a list that has a name',
      more: 'The names: private, public-read, public-read-write, authenticated-read, bucket-owner-read, bucket-owner-full-control.',
      examples: [
        'holdfast s3 acl set photos private',
        'holdfast s3 acl set photos/logo.png --public',
        'holdfast s3 acl set photos read:films@umbrella write:films:eve@umbrella',
      ],
    }),
  ).action((place: string, rights: string[], options: ChangeAclOptions) =>
    run(async (context) => (await import('./acl.ts')).setAcl(context, place, rights, options)),
  );

  withChangeOptions(
    declare(acl, {
      usage: 'grant <place> [rights...]',
      summary: 'give rights to others',
      examples: [
        'holdfast s3 acl grant photos read:films@umbrella',
        'holdfast s3 acl grant photos/2026 --public --recursive --dry-run',
      ],
    }),
  ).action((place: string, rights: string[], options: ChangeAclOptions) =>
    run(async (context) => (await import('./acl.ts')).grantAcl(context, place, rights, options)),
  );

  withChangeOptions(
    declare(acl, {
      usage: 'revoke <place> [rights...]',
      summary: 'take rights away that were given',
      examples: [
        'holdfast s3 acl revoke photos read:films@umbrella',
        'holdfast s3 acl revoke photos/a --public',
      ],
    }),
  ).action((place: string, rights: string[], options: ChangeAclOptions) =>
    run(async (context) => (await import('./acl.ts')).revokeAcl(context, place, rights, options)),
  );
}

function withChangeOptions(command: Command): Command {
  return command
    .option('--public', 'everyone may read: read:everyone')
    .option(...VERSION_ID)
    .option('-r, --recursive', 'every object below it')
    .option('--dry-run', 'with --recursive: only show what would be done');
}

function declareQuestions(policy: Command, run: Run): void {
  declare(policy, {
    usage: 'check <bucket> [file]',
    summary: 'say where a policy is malformed, and whom it names that is not there',
    more: 'Without FILE: the policy that is set. Changes nothing. Exit code 1 for problems.',
    examples: ['holdfast s3 policy check photos policy.json', 'holdfast s3 policy check photos'],
  }).action((bucket: string, file: string | undefined) =>
    run(async (context) => (await import('./policy.ts')).checkPolicy(context, bucket, file)),
  );

  declare(policy, {
    usage: 'explain <action> <place>',
    summary: 'say whether a user may do something, and which statement, right or rule decides',
    more: 'Without --user: you. Exit code 3 where it is denied.',
    examples: [
      'holdfast s3 policy explain GetObject photos/a.jpg --user films:eve@umbrella',
      'holdfast s3 policy explain ListBucket photos --anonymous --from 203.0.113.7 --condition s3:prefix=pub/',
    ],
  })
    .option('--user <user>', 'who asks: a name, or PROJECT:NAME@CUSTOMER')
    .option('--anonymous', 'for an anonymous caller')
    .option(...VERSION_ID)
    .option('--from <address>', 'from this address; 127.0.0.1 if not given')
    .option('--http', 'over a connection without TLS')
    .option('--condition <key=value>', 'what else the request says; may be repeated', collect)
    .action((action: string, place: string, options: ExplainOptions) =>
      run(async (context) =>
        (await import('./policy.ts')).explainPolicy(context, action, place, options),
      ),
    );
}

/** Declares the commands for ACLs and bucket policies. */

import type { Command } from 'commander';

import type { AclOptions, ChangeAclOptions } from './acl.ts';
import { collect, declare } from '../../declare.ts';
import type { ExplainOptions } from './policy.ts';
import type { Run } from '../../program.ts';

export function declareCommands(program: Command, run: Run): void {
  const acl = declare(program, {
    usage: 'acl',
    summary: 'show and set the ACL of a bucket or an object',
    more:
      'PLACE is BUCKET, BUCKET/KEY or a path in the folder of a job. A permission is read, write, read-acl, write-acl or full, and is granted to ' +
      'PROJECT@CUSTOMER, PROJECT:USER@CUSTOMER, email:ADDRESS of a project, authenticated or everyone. ' +
      'Uploading an object again removes all grants on it.',
    examples: [
      'holdfast s3 acl grant photos read:films@umbrella',
      'holdfast s3 acl set photos/logo.png public-read',
    ],
  }).helpCommand(false);
  declareAcl(acl, run);
  declareAclChanges(acl, run);

  const policy = declare(program, {
    usage: 'policy',
    summary: 'show, set and check the policy of a bucket',
    examples: [
      'holdfast s3 policy check photos policy.json',
      'holdfast s3 policy set photos policy.json',
    ],
  }).helpCommand(false);
  declareQuestions(policy, run);
}

const VERSION_ID = ['--version-id <id>', 'this version instead of the current one'] as const;

function declareAcl(acl: Command, run: Run): void {
  declare(acl, {
    usage: 'get <place>',
    summary: 'show the grants',
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
      summary: 'replace all grants by the given ones, or by a canned ACL',
      more: 'Canned ACLs: private, public-read, public-read-write, authenticated-read, bucket-owner-read, bucket-owner-full-control.',
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
      summary: 'add grants',
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
      summary: 'remove grants',
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
    .option('--public', 'grant read:everyone')
    .option(...VERSION_ID)
    .option('-r, --recursive', 'all objects below the path')
    .option('--dry-run', 'with --recursive: only show what would be done');
}

function declareQuestions(policy: Command, run: Run): void {
  declare(policy, {
    usage: 'check <bucket> [file]',
    summary: 'report errors in a policy, and principals that do not exist',
    more: 'Without FILE, checks the current policy. Changes nothing. Exit code 1 if it finds problems.',
    examples: ['holdfast s3 policy check photos policy.json', 'holdfast s3 policy check photos'],
  }).action((bucket: string, file: string | undefined) =>
    run(async (context) => (await import('./policy.ts')).checkPolicy(context, bucket, file)),
  );

  declare(policy, {
    usage: 'explain <action> <place>',
    summary: 'show whether a user has permission, and which statement, grant or rule decides',
    more: 'Without --user, checks you. Exit code 3 if access is denied.',
    examples: [
      'holdfast s3 policy explain GetObject photos/a.jpg --user films:eve@umbrella',
      'holdfast s3 policy explain ListBucket photos --anonymous --from 203.0.113.7 --condition s3:prefix=pub/',
    ],
  })
    .option('--user <user>', 'user of the request: NAME or PROJECT:NAME@CUSTOMER')
    .option('--anonymous', 'check an anonymous request')
    .option(...VERSION_ID)
    .option('--from <address>', 'source address; default: 127.0.0.1')
    .option('--http', 'connection without TLS')
    .option(
      '--condition <key=value>',
      'another condition key of the request; may be repeated',
      collect,
    )
    .action((action: string, place: string, options: ExplainOptions) =>
      run(async (context) =>
        (await import('./policy.ts')).explainPolicy(context, action, place, options),
      ),
    );
}

/** Declares the commands for buckets and objects of the embedded store. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { GetOptions } from './get.ts';
import type { ListOptions } from './ls.ts';
import type { MakeBucketOptions } from './mb.ts';
import type { Run } from '../../program.ts';
import type { PutOptions } from './put.ts';
import type { RemoveOptions } from './rm.ts';

export function declareCommands(program: Command, run: Run): void {
  declareListings(program, run);
  declareTransfers(program, run);
  declareBuckets(program, run);
}

function declareListings(program: Command, run: Run): void {
  declare(program, {
    usage: 'ls [place]',
    summary: 'list the buckets, or the objects in a bucket',
    more: 'PLACE is BUCKET, BUCKET/PREFIX or a path in the folder of a job. The prefix is taken literally.',
    examples: [
      'holdfast s3 ls',
      'holdfast s3 ls photos',
      'holdfast s3 ls photos/2026/ --recursive',
    ],
  })
    .option('-r, --recursive', 'all keys, not folder by folder')
    .action((place: string | undefined, options: ListOptions) =>
      run(async (context) => (await import('./ls.ts')).list(context, place, options)),
    );

  declare(program, {
    usage: 'versions <place>',
    summary: 'list versions and delete markers, newest first within a key',
    more: 'PLACE is BUCKET, BUCKET/PREFIX or a path in the folder of a job.',
    examples: ['holdfast s3 versions photos/2026/a.jpg', 'holdfast s3 versions photos'],
  }).action((place: string) =>
    run(async (context) => (await import('./versions.ts')).versions(context, place)),
  );
}

function declareTransfers(program: Command, run: Run): void {
  declare(program, {
    usage: 'get <object> [file]',
    summary: "write an object's bytes to a file, or with - to standard output",
    more: 'OBJECT is BUCKET/KEY or a path in the folder of a job. Without FILE, writes a new file with the last part of the key as its name.',
    examples: [
      'holdfast s3 get photos/2026/a.jpg',
      'holdfast s3 get photos/notes.txt - | less',
      'holdfast s3 get photos/notes.txt~1 earlier.txt   # the version before the current one',
      'holdfast s3 get photos/notes.txt old.txt --version-id ID   # as `holdfast s3 versions` lists it',
    ],
  })
    .option('--version-id <id>', 'this version instead of the current one')
    .option('--key-file <file>', 'customer key of the object')
    .action((object: string, file: string | undefined, options: GetOptions) =>
      run(async (context) => (await import('./get.ts')).get(context, object, { file, ...options })),
    );

  declare(program, {
    usage: 'put <file> <object>',
    summary: 'store a file, or with - standard input, as an object',
    more: 'OBJECT is BUCKET/KEY; a key that ends in / gets the name of the file.',
    examples: [
      'holdfast s3 put a.jpg photos/2026/',
      'tar c src | holdfast s3 put - backups/src.tar',
    ],
  })
    .option('--content-type <type>', 'media type, such as image/jpeg')
    .option('--key-file <file>', 'encrypt the object with this customer key')
    .action((file: string, object: string, options: PutOptions) =>
      run(async (context) => (await import('./put.ts')).put(context, { file, object, ...options })),
    );

  declare(program, {
    usage: 'rm <object>',
    summary: 'add a delete marker to an object, or remove one of its versions permanently',
    more: 'With --recursive, deletes all objects below a folder.',
    examples: [
      'holdfast s3 rm photos/a.jpg                   # older versions stay',
      'holdfast s3 rm photos/a.jpg --version-id ID   # that version is gone for good; `holdfast s3 versions` lists them',
      'holdfast s3 rm photos/2020/ --recursive --dry-run',
      'holdfast s3 rm photos --recursive --all-versions --yes   # the whole bucket, for good',
    ],
    destroys: removalOf,
    details: async (context, { args: [place = ''], options }) =>
      (await import('./rm.ts')).removalDetails(context, place, options),
  })
    .option('--version-id <id>', 'remove this version permanently')
    .option('-r, --recursive', 'all objects below the path')
    .option(
      '--all-versions',
      'with --recursive: remove all versions and delete markers permanently',
    )
    .option('--dry-run', 'with --recursive: only show what would be done')
    .option('--bypass-governance', 'also remove a version with GOVERNANCE retention')
    .option('--force', 'add a delete marker even if the key does not exist')
    .action((object: string, options: RemoveOptions) =>
      run(async (context) => (await import('./rm.ts')).remove(context, object, options)),
    );
}

function removalOf([place]: readonly string[], options: RemoveOptions): string | undefined {
  const { recursive, allVersions, versionId, dryRun } = options;
  if (dryRun) return undefined;
  if (versionId !== undefined) return `remove version ${versionId} of ${place} for good`;
  if (!recursive) return `delete ${place}`;
  return allVersions
    ? `remove every version below ${place} for good`
    : `delete every object below ${place}`;
}

function declareBuckets(program: Command, run: Run): void {
  declare(program, {
    usage: 'mb <bucket>',
    summary: 'create a bucket with versioning',
    examples: ['holdfast s3 mb archive --object-lock', 'holdfast s3 mb scratch --no-versioning'],
  })
    .option('--no-versioning', 'disable versioning')
    .option('--object-lock', 'enable Object Lock, which cannot be enabled later')
    .action((bucket: string, options: MakeBucketOptions) =>
      run(async (context) => (await import('./mb.ts')).makeBucket(context, bucket, options)),
    );

  declare(program, {
    usage: 'rb <bucket>',
    summary: 'remove an empty bucket, without any versions',
    examples: ['holdfast s3 rb scratch'],
    destroys: ([bucket]) => `remove bucket ${bucket}`,
    details: async (context, { args: [bucket = ''] }) =>
      (await import('./rb.ts')).checkBucket(context, bucket),
  }).action((bucket: string) =>
    run(async (context) => (await import('./rb.ts')).removeBucket(context, bucket)),
  );
  declareBucketGroup(program, run);
}

/** Declares `holdfast s3 bucket info|list|create|remove`, which do the same as `holdfast s3 info|ls|mb|rb`. */
function declareBucketGroup(program: Command, run: Run): void {
  const bucket = declare(program, {
    usage: 'bucket',
    summary: 'describe, list, create and remove buckets',
    more: 'The same as holdfast s3 info, ls, mb and rb.',
    examples: ['holdfast s3 bucket info photos', 'holdfast s3 bucket create archive --object-lock'],
  }).helpCommand(false);
  declare(bucket, {
    usage: 'info <bucket>',
    summary: 'show all properties of a bucket',
    examples: ['holdfast s3 bucket info photos --json'],
  }).action((name: string) =>
    run(async (context) => (await import('./bucket.ts')).describeBucket(context, name)),
  );
  declare(bucket, {
    usage: 'list',
    summary: 'list the buckets',
    examples: ['holdfast s3 bucket list'],
  }).action(() => run(async (context) => (await import('./ls.ts')).list(context, undefined, {})));
  declare(bucket, {
    usage: 'create <bucket>',
    summary: 'create a bucket with versioning',
    examples: ['holdfast s3 bucket create archive --object-lock'],
  })
    .option('--no-versioning', 'disable versioning')
    .option('--object-lock', 'enable Object Lock, which cannot be enabled later')
    .action((name: string, options: MakeBucketOptions) =>
      run(async (context) => (await import('./mb.ts')).makeBucket(context, name, options)),
    );
  declare(bucket, {
    usage: 'remove <bucket>',
    summary: 'remove an empty bucket, without any versions',
    examples: ['holdfast s3 bucket remove scratch'],
    destroys: ([bucket]) => `remove bucket ${bucket}`,
    details: async (context, { args: [bucket = ''] }) =>
      (await import('./rb.ts')).checkBucket(context, bucket),
  }).action((name: string) =>
    run(async (context) => (await import('./rb.ts')).removeBucket(context, name)),
  );
}

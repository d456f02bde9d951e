/** Declares the commands for tags, object metadata, and the properties of objects and buckets. */

import type { Command } from 'commander';

import { collect, declare } from '../../declare.ts';
import type { SetMetaOptions } from './meta.ts';
import { collectPairs } from '../../arguments/pairs.ts';
import type { Pair } from '../../arguments/pairs.ts';
import type { Run } from '../../program.ts';
import type { ChangeTagOptions, RemoveTagOptions, TagOptions } from './tag.ts';

const VERSION = ['--version-id <id>', 'this version instead of the current one'] as const;
const KEY_FILE = ['--key-file <file>', 'customer key of the object'] as const;
const RECURSIVE = ['-r, --recursive', 'all objects below the path'] as const;
const DRY_RUN = ['--dry-run', 'with --recursive: only show what would be done'] as const;

export function declareCommands(program: Command, run: Run): void {
  declareInfo(program, run);
  declareTags(program, run);
  declareMeta(program, run);
}

function declareInfo(program: Command, run: Run): void {
  declare(program, {
    usage: 'info <place>',
    summary: 'show everything about an object or a bucket',
    more: 'Recognizes disk images by their content, and shows what they can be used for.',
    examples: ['holdfast s3 info photos', 'holdfast s3 info images/debian.qcow2 --json'],
  })
    .option(...VERSION)
    .option(...KEY_FILE)
    .action((place: string, options: { versionId?: string; keyFile?: string }) =>
      run(async (context) => (await import('./info.ts')).info(context, place, options)),
    );
}

function declareTags(program: Command, run: Run): void {
  const tag = declare(program, {
    usage: 'tag',
    summary: 'read and change the tags of objects and buckets',
    examples: ['holdfast s3 tag set photos/a.jpg year=2026', 'holdfast s3 tag get photos/a.jpg'],
  }).helpCommand(false);

  declare(tag, {
    usage: 'get <place>',
    summary: 'show the tags',
    more: 'PLACE is BUCKET, BUCKET/KEY or a path in the folder of a job.',
    examples: ['holdfast s3 tag get photos/a.jpg', 'holdfast s3 tag get photos'],
  })
    .option(...VERSION)
    .action((place: string, options: TagOptions) =>
      run(async (context) => (await import('./tag.ts')).getTags(context, place, options)),
    );

  declare(tag, {
    usage: 'set <place> <tags...>',
    summary: 'set tags, each as KEY=VALUE; other tags remain',
    more: 'An object has up to 10 tags, a bucket up to 50.',
    examples: [
      'holdfast s3 tag set photos/a.jpg year=2026 camera=x100',
      'holdfast s3 tag set photos/2026 year=2026 --recursive',
    ],
  })
    .option(...VERSION)
    .option(...RECURSIVE)
    .option(...DRY_RUN)
    .option('--replace', 'remove all other tags')
    .action((place: string, tags: readonly string[], options: ChangeTagOptions) =>
      run(async (context) => {
        const given = { typed: place, tags: pairsOf(tags) };
        return (await import('./tag.ts')).setTags(context, given, options);
      }),
    );

  declare(tag, {
    usage: 'remove <place> [keys...]',
    summary: 'remove tags',
    examples: ['holdfast s3 tag remove photos/a.jpg camera', 'holdfast s3 tag remove photos --all'],
    destroys: ([place], { dryRun }) => (dryRun ? undefined : `remove tags of ${place}`),
  })
    .option(...VERSION)
    .option(...RECURSIVE)
    .option(...DRY_RUN)
    .option('--all', 'all tags')
    .action((place: string, keys: readonly string[], options: RemoveTagOptions) =>
      run(async (context) =>
        (await import('./tag.ts')).removeTags(context, { typed: place, keys }, options),
      ),
    );
}

function declareMeta(program: Command, run: Run): void {
  const meta = declare(program, {
    usage: 'meta',
    summary: 'read and change the attributes of objects',
    examples: [
      'holdfast s3 meta set photos/a.jpg camera=x100',
      'holdfast s3 meta get photos/a.jpg',
    ],
  }).helpCommand(false);

  declare(meta, {
    usage: 'get <object>',
    summary: 'show the attributes',
    examples: ['holdfast s3 meta get photos/a.jpg'],
  })
    .option(...VERSION)
    .option(...KEY_FILE)
    .action((object: string, options: { versionId?: string; keyFile?: string }) =>
      run(async (context) => (await import('./meta.ts')).getMeta(context, object, options)),
    );

  declare(meta, {
    usage: 'set <object> [attributes...]',
    summary: 'change attributes; other attributes and tags remain',
    more: 'NAME=VALUE sets user metadata. In a versioned bucket, the change creates a version.',
    examples: [
      'holdfast s3 meta set photos/a.jpg camera=x100 --content-type image/jpeg',
      'holdfast s3 meta set www-bucket/img --recursive --cache-control max-age=3600',
      'holdfast s3 meta set photos/a.jpg --remove camera --remove expires',
    ],
  })
    .option('--content-type <type>', 'media type')
    .option('--content-encoding <coding>', 'encoding, such as gzip')
    .option('--content-disposition <text>', 'presentation, such as the file name of a download')
    .option('--content-language <tag>', 'language of the content')
    .option('--cache-control <directives>', 'caching directives')
    .option('--expires <date>', 'expiration date for caches')
    .option('--website-redirect <location>', 'redirect of a website for this object')
    .option('--remove <name>', 'attribute to remove', collect)
    .option(...KEY_FILE)
    .option(...RECURSIVE)
    .option(...DRY_RUN)
    .action((object: string, attributes: readonly string[], options: SetMetaOptions) =>
      run(async (context) => {
        const given = { typed: object, pairs: pairsOf(attributes) };
        return (await import('./meta.ts')).setMeta(context, given, options);
      }),
    );
}

function pairsOf(words: readonly string[]): readonly Pair[] {
  return words.reduce<readonly Pair[]>((before, word) => collectPairs(word, before), []);
}

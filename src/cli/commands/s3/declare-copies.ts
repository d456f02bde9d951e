/** Declares the commands that copy and rename objects. */

import type { Command } from 'commander';

import type { CopyOptions } from './cp.ts';
import { declare } from '../../declare.ts';
import type { MoveOptions } from './mv.ts';
import { collectPairs } from '../../arguments/pairs.ts';
import type { Run } from '../../program.ts';

const SIDES = 'An object is BUCKET/KEY or TARGET:BUCKET/KEY, a file begins with . or /.';
/** Option for objects that are encrypted with a customer-provided key. */
const KEY_FILE = ['--key-file <file>', 'the key that it has, and keeps'] as const;
const DRY_RUN = 'only show what would be done';

export function declareCommands(program: Command, run: Run): void {
  declare(program, {
    usage: 'cp <from> <to>',
    summary: 'copy files to objects, objects to files, or objects to objects',
    more: `${SIDES} What ends in / gets the name of what is copied.`,
    examples: [
      'holdfast s3 cp ./a.jpg photos/2026/',
      'holdfast s3 cp photos/2026/a.jpg ./',
      'holdfast s3 cp photos/2026 archive/photos/2026 --recursive   # nothing is sent',
      'holdfast s3 cp ./site www-bucket --recursive --dry-run',
    ],
  })
    .option('-r, --recursive', 'all of a folder, or all keys below a prefix')
    .option('--dry-run', DRY_RUN)
    .option(...KEY_FILE)
    .option('--if-none-match', 'only where nothing is there yet')
    .option('--version-id <id>', 'copy this version of the object')
    .option('--content-type <type>', "instead of what the file's name says")
    .option('--metadata <name=value>', 'a user attribute of what is written', collectPairs)
    .option('--tag <key=value>', 'a tag of what is written', collectPairs)
    .action((from: string, to: string, options: CopyOptions) =>
      run(async (context) => (await import('./cp.ts')).copy(context, { from, to }, options)),
    );

  declare(program, {
    usage: 'mv <from> <to>',
    summary: 'rename an object, or all below a prefix, whatever their size',
    more:
      'A copy in the store, then a delete of the old name, once the copy is seen to be whole. Older versions stay under ' +
      'the old name. After an interruption, run it again to continue.',
    examples: [
      'holdfast s3 mv photos/a.jpg photos/2026/a.jpg',
      'holdfast s3 mv photos/2026 archive/2026 --recursive --dry-run',
    ],
  })
    .option('-r, --recursive', 'all keys below a prefix')
    .option('--dry-run', DRY_RUN)
    .option('--overwrite', 'replace what has the new name')
    .option(...KEY_FILE)
    .action((from: string, to: string, options: MoveOptions) =>
      run(async (context) => (await import('./mv.ts')).move(context, { from, to }, options)),
    );
}

/** Declares the commands that copy and rename objects. */

import type { Command } from 'commander';

import type { CopyOptions } from './cp.ts';
import { declare } from '../../declare.ts';
import type { MoveOptions } from './mv.ts';
import { collectPairs } from '../../arguments/pairs.ts';
import type { Run } from '../../program.ts';

const SIDES =
  'An object is BUCKET/KEY or TARGET:BUCKET/KEY; the path of a file begins with . or /.';
/** The option for objects that are encrypted with a customer-provided key. */
const KEY_FILE = [
  '--key-file <file>',
  'customer key of the object; the new object has the same key',
] as const;
const DRY_RUN = 'only show what would be done';

export function declareCommands(program: Command, run: Run): void {
  declare(program, {
    usage: 'cp <from> <to>',
    summary: 'copy files to objects, objects to files, or objects to objects',
    more: `${SIDES} A destination that ends in / gets the name of the source.`,
    examples: [
      'holdfast s3 cp ./a.jpg photos/2026/',
      'holdfast s3 cp photos/2026/a.jpg ./',
      'holdfast s3 cp photos/2026 archive/photos/2026 --recursive   # copied by the service',
      'holdfast s3 cp ./site www-bucket --recursive --dry-run',
    ],
  })
    .option('-r, --recursive', 'all files of a folder, or all keys below a prefix')
    .option('--dry-run', DRY_RUN)
    .option(...KEY_FILE)
    .option('--if-none-match', 'only if the destination does not exist')
    .option('--version-id <id>', 'copy this version of the object')
    .option('--content-type <type>', 'media type; default: by the file name')
    .option('--metadata <name=value>', 'user metadata of the new object', collectPairs)
    .option('--tag <key=value>', 'tag of the new object', collectPairs)
    .action((from: string, to: string, options: CopyOptions) =>
      run(async (context) => (await import('./cp.ts')).copy(context, { from, to }, options)),
    );

  declare(program, {
    usage: 'mv <from> <to>',
    summary: 'rename an object of any size, or all objects below a prefix',
    more:
      'Copies the object in the store, and deletes the old name after the copy is verified. Older versions remain under ' +
      'the old name. After an interruption, run it again to continue.',
    examples: [
      'holdfast s3 mv photos/a.jpg photos/2026/a.jpg',
      'holdfast s3 mv photos/2026 archive/2026 --recursive --dry-run',
    ],
  })
    .option('-r, --recursive', 'all keys below a prefix')
    .option('--dry-run', DRY_RUN)
    .option('--overwrite', 'replace an object with the new name')
    .option(...KEY_FILE)
    .action((from: string, to: string, options: MoveOptions) =>
      run(async (context) => (await import('./mv.ts')).move(context, { from, to }, options)),
    );
}

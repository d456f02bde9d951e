/** Declares the commands for encryption with customer-provided keys. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { EncryptOptions } from './encrypt.ts';
import type { Run } from '../../program.ts';

export function declareCommands(program: Command, run: Run): void {
  const encrypt = declare(program, {
    usage: 'encrypt',
    summary: 'keep objects encrypted under a key of your own',
    more:
      'The key stays with you: Holdfast keeps it nowhere, and every read needs it (get --key-file). ' +
      'A key file holds 32 bytes, as they are or in base64, and only its owner may read it.',
    examples: [
      'holdfast s3 encrypt new-key photos.key',
      'holdfast s3 put a.jpg photos/a.jpg --key-file photos.key',
      'holdfast s3 get photos/a.jpg back.jpg --key-file photos.key',
    ],
  }).helpCommand(false);

  declare(encrypt, {
    usage: 'new-key <file>',
    summary: 'make a key, in a new file that only you may read',
    examples: ['holdfast s3 encrypt new-key photos.key'],
  }).action((file: string) =>
    run(async (context) => (await import('./encrypt.ts')).newKey(context, file)),
  );

  declareChanges(encrypt, run);
}

function declareChanges(encrypt: Command, run: Run): void {
  const more =
    'OBJECT is BUCKET/KEY. It stays what it is but for its key; as after each overwrite, its access list is empty. ' +
    'In a bucket with versions the version before stays as it was.';

  declare(encrypt, {
    usage: 'object <object>',
    summary: 'encrypt an object that is there in clear',
    more,
    examples: ['holdfast s3 encrypt object photos/a.jpg --key-file photos.key'],
  })
    .requiredOption('--key-file <file>', 'the key that it is to have')
    .action((object: string, options: EncryptOptions) =>
      run(async (context) =>
        (await import('./encrypt.ts')).encryptObject(context, object, options),
      ),
    );

  declare(encrypt, {
    usage: 'rotate <object>',
    summary: 'encrypt an object under another key',
    more,
    examples: ['holdfast s3 encrypt rotate photos/a.jpg --key-file old.key --new-key-file new.key'],
  })
    .requiredOption('--key-file <file>', 'the key that it has')
    .requiredOption('--new-key-file <file>', 'the key that it is to have')
    .action((object: string, options: EncryptOptions) =>
      run(async (context) => (await import('./encrypt.ts')).rotateKey(context, object, options)),
    );

  declare(encrypt, {
    usage: 'remove <object>',
    summary: 'store an encrypted object in clear again',
    more,
    examples: ['holdfast s3 encrypt remove photos/a.jpg --key-file photos.key'],
    destroys: ([object]) => `store ${object} without encryption`,
  })
    .requiredOption('--key-file <file>', 'the key that it has')
    .action((object: string, options: EncryptOptions) =>
      run(async (context) => (await import('./encrypt.ts')).removeKey(context, object, options)),
    );
}

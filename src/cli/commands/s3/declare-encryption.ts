/** Declares the commands for encryption with customer-provided keys. */

import type { Command } from 'commander';

import { declare } from '../../declare.ts';
import type { EncryptOptions } from './encrypt.ts';
import type { Run } from '../../program.ts';

export function declareCommands(program: Command, run: Run): void {
  const encrypt = declare(program, {
    usage: 'encrypt',
    summary: 'encrypt objects with a key of your own',
    more:
      'Holdfast does not store the key, and every read needs it (get --key-file). ' +
      'A key file contains 32 bytes, raw or in Base64, and only its owner may read it.',
    examples: [
      'holdfast s3 encrypt new-key photos.key',
      'holdfast s3 put a.jpg photos/a.jpg --key-file photos.key',
      'holdfast s3 get photos/a.jpg back.jpg --key-file photos.key',
    ],
  }).helpCommand(false);

  declare(encrypt, {
    usage: 'new-key <file>',
    summary: 'create a key in a new file that only you can read',
    examples: ['holdfast s3 encrypt new-key photos.key'],
  }).action((file: string) =>
    run(async (context) => (await import('./encrypt.ts')).newKey(context, file)),
  );

  declareChanges(encrypt, run);
}

function declareChanges(encrypt: Command, run: Run): void {
  const more =
    'OBJECT is BUCKET/KEY. Only its key changes; as after each overwrite, its ACL is empty. ' +
    'In a versioned bucket, the previous version does not change.';

  declare(encrypt, {
    usage: 'object <object>',
    summary: 'encrypt an unencrypted object',
    more,
    examples: ['holdfast s3 encrypt object photos/a.jpg --key-file photos.key'],
  })
    .requiredOption('--key-file <file>', 'new customer key of the object')
    .action((object: string, options: EncryptOptions) =>
      run(async (context) =>
        (await import('./encrypt.ts')).encryptObject(context, object, options),
      ),
    );

  declare(encrypt, {
    usage: 'rotate <object>',
    summary: 'encrypt an object with another key',
    more,
    examples: ['holdfast s3 encrypt rotate photos/a.jpg --key-file old.key --new-key-file new.key'],
  })
    .requiredOption('--key-file <file>', 'current customer key of the object')
    .requiredOption('--new-key-file <file>', 'new customer key of the object')
    .action((object: string, options: EncryptOptions) =>
      run(async (context) => (await import('./encrypt.ts')).rotateKey(context, object, options)),
    );

  declare(encrypt, {
    usage: 'remove <object>',
    summary: 'remove the encryption of an object',
    more,
    examples: ['holdfast s3 encrypt remove photos/a.jpg --key-file photos.key'],
    destroys: ([object]) => `store ${object} without encryption`,
  })
    .requiredOption('--key-file <file>', 'current customer key of the object')
    .action((object: string, options: EncryptOptions) =>
      run(async (context) => (await import('./encrypt.ts')).removeKey(context, object, options)),
    );
}

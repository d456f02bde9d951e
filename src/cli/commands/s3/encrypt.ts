/** Implements `holdfast s3 encrypt`. It creates customer-provided keys and encrypts objects with them. */

import { defined } from '../../../base/defined.ts';
import { isControlError } from '../../../control/control-error.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { type KeyOptions, readKeyFile, writeNewKey } from '../../arguments/key-file.ts';
import { withThing } from '../../arguments/resolve-thing.ts';
import { shellWord, visible } from '../../output/text.ts';

export interface EncryptOptions extends KeyOptions {
  readonly newKeyFile?: string;
}

export async function newKey(context: Context, typed: string): Promise<void> {
  const file = context.path(typed);
  await writeNewKey(file);
  if (context.json) return context.out.json({ file });
  await context.out.lines(
    `${visible(file)}: a new key, which only you can read`,
    'Keep a copy elsewhere: without the key, no one can read the objects that it encrypts.',
  );
}

/**
 * Encrypts an unencrypted object with the key in `--key-file`. Throws CommandError `Conflict` if the object is
 * already encrypted.
 */
export async function encryptObject(
  context: Context,
  object: string,
  { keyFile }: EncryptOptions,
): Promise<void> {
  const customerKey = await readKeyFile(context, keyFile);
  await change(context, object, { did: 'encrypted', keys: { customerKey } });
}

/** Encrypts an object with the key in `--new-key-file` instead of the key in `--key-file`. */
export async function rotateKey(
  context: Context,
  object: string,
  { keyFile, newKeyFile }: EncryptOptions,
): Promise<void> {
  const sourceCustomerKey = await readKeyFile(context, keyFile);
  const customerKey = await readKeyFile(context, newKeyFile);
  const keys = { sourceCustomerKey, customerKey };
  await change(context, object, { did: 'encrypted under the new key', keys });
}

/** Decrypts an object that is encrypted with the key in `--key-file`. */
export async function removeKey(
  context: Context,
  object: string,
  { keyFile }: EncryptOptions,
): Promise<void> {
  const sourceCustomerKey = await readKeyFile(context, keyFile);
  await change(context, object, { did: 'decrypted', keys: { sourceCustomerKey } });
}

interface Change {
  readonly did: string;
  readonly keys: {
    readonly [Name in 'customerKey' | 'sourceCustomerKey']?: string | undefined;
  };
}

function isEncrypted(error: unknown): boolean {
  return isControlError(error) && error.details['CustomerKey'] === 'needed';
}

function encryptedAlready(object: string): CommandError {
  const line = `holdfast s3 encrypt rotate ${shellWord(object)} --key-file OLD --new-key-file NEW`;
  return new CommandError(
    'Conflict',
    `cannot encrypt ${visible(object)}: it is encrypted already`,
    `to change its key: ${line}`,
  );
}

async function change(context: Context, object: string, { did, keys }: Change): Promise<void> {
  const rules = { ifBoth: 'refuse', needsKey: true } as const;
  const changed = await withThing(context, object, rules, (daemon, place) =>
    daemon.call('objects.encrypt', defined({ ...place, ...keys })),
  ).catch((error: unknown) => {
    throw isEncrypted(error) ? encryptedAlready(object) : error;
  });
  if (context.json) return context.out.json(changed);
  const { versionId, olderVersionId } = changed;
  const version = versionId === undefined ? '' : `, version ${versionId}`;
  const lines = [`${did} ${visible(object)}${version}`];
  if (olderVersionId !== undefined) {
    lines.push(
      'The previous version is unchanged. To delete it:',
      `  holdfast s3 rm ${visible(object)} --version-id ${olderVersionId}`,
    );
  }
  await context.out.prose(...lines);
}

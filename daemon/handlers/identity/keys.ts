/**
 * Implements the control methods for access keys. While no daemon is running, the command line calls these handlers
 * itself.
 */

import type { UserNames } from '../../../src/base/principal.ts';
import { ControlError } from '../../../src/control/control-error.ts';
import type { Result } from '../../../src/control/messages.ts';
import type { AccessKey, KeyAdmin, ListedKey } from '../../../src/identity/identity.ts';
import type { Handlers, People } from './people.ts';

export type KeyMethod = 'keys.list' | 'keys.add' | 'keys.rotate' | 'keys.remove';

export function keyHandlers({ identity: { keys }, own, named }: People): Handlers<KeyMethod> {
  return {
    'keys.list': async () => ({ keys: keys.listKeys().map(keyResult) }),
    'keys.add': async (user) => keyResult(keys.addKey(named(user))),
    'keys.rotate': async ({ accessKeyId, graceMs }) => {
      const which = accessKeyId ?? currentKey(keys, own).accessKeyId;
      const { key, old } = keys.rotateKey({ accessKeyId: which, graceMs });
      return { key: keyResult(key), old: keyResult(old) };
    },
    'keys.remove': async ({ accessKeyId }) => {
      keys.removeKey(accessKeyId);
      return {};
    },
  };
}

/**
 * Returns the current access key of a user. Throws ControlError `NotFound` if all keys of the user were removed.
 */
export function currentKey(keys: KeyAdmin, holder: UserNames): AccessKey {
  const key = keys.currentKey(holder);
  if (key) return key;
  throw new ControlError('NotFound', `user ${holder.user} has no access key`, {
    hint: 'to create one: holdfast admin keys add',
  });
}

export function keyResult({ principal, ...key }: ListedKey): Result<'keys.add'> {
  const { kind: _, ...names } = principal;
  return { ...key, ...names };
}

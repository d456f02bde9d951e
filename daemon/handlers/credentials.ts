/** Control methods on access keys. They need no daemon: the command line calls them here when none runs. */

import { defined } from '../../src/base/defined.ts';
import { ControlError } from '../../src/control/control-error.ts';
import type { Params, Result } from '../../src/control/messages.ts';
import type { AccessKey, KeyAdmin, KeyHolder, ListedKey } from '../../src/identity/identity.ts';

export type KeyMethod =
  | 'credentials.list'
  | 'credentials.add'
  | 'credentials.rotate'
  | 'credentials.remove';

export type KeyHandlers = {
  readonly [M in KeyMethod]: (params: Params<M>) => Promise<Result<M>>;
};

/** `holder` is whom a request means that names nobody. */
export function keyHandlers(keys: KeyAdmin, holder: KeyHolder): KeyHandlers {
  return {
    'credentials.list': async () => ({ keys: keys.listKeys().map(keyOf) }),
    'credentials.add': async ({ user, project, fullAccess }) => {
      const named = { ...holder, ...defined({ user, project }) };
      return keyOf(keys.addKey({ ...named, fullAccess }));
    },
    'credentials.rotate': async ({ accessKeyId, graceMs }) => {
      const which = accessKeyId ?? currentKey(keys, holder).accessKeyId;
      const { key, old } = keys.rotateKey({ accessKeyId: which, graceMs });
      return { key: keyOf(key), old: keyOf(old) };
    },
    'credentials.remove': async ({ accessKeyId }) => {
      keys.removeKey(accessKeyId);
      return {};
    },
  };
}

/** Throws ControlError `NotFound` when all keys of the holder were removed. */
export function currentKey(keys: KeyAdmin, holder: KeyHolder): AccessKey {
  const key = keys.currentKey(holder);
  if (key) return key;
  throw new ControlError('NotFound', `find key of ${holder.user}: there is none`, {
    hint: 'make one with `holdfast credentials add`',
  });
}

function keyOf({ principal, ...key }: ListedKey): Result<'credentials.add'> {
  const { kind: _, ...names } = principal;
  return { ...key, ...names };
}

/** The refusal of a policy that cannot be read; nothing is changed by it. */

import { StorageError } from '../../storage-error.ts';

export function malformedPolicy(reason: string): StorageError {
  return new StorageError('MalformedPolicy', `put policy: ${reason}`);
}

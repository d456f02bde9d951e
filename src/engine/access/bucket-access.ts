/**
 * Reads a bucket's ACL, policy and public access block from its database row. Each of the three is parsed on first use,
 * because most requests need none of them.
 */

import type { UserNames } from '../../base/principal.ts';
import type { Grant } from '../../object-store/rules/access/acl.ts';
import type { BucketAccess } from '../../object-store/rules/access/decide.ts';
import { parsePolicy } from '../../object-store/rules/access/parse-policy.ts';
import type { Policy } from '../../object-store/rules/access/policy.ts';
import type { PublicAccessBlock } from '../../object-store/rules/access/public-access.ts';
import { isStorageError, StorageError } from '../../object-store/storage-error.ts';
import { parseAcl, parsePublicAccessBlock } from '../schema/acl-text.ts';
import { countPolicyReading } from './policy-meter.ts';
import type { BucketRow } from '../schema/rows.ts';

export class RowAccess implements BucketAccess {
  readonly #row: BucketRow;

  constructor(row: BucketRow) {
    this.#row = row;
  }

  get name(): string {
    return this.#row.name;
  }

  get owner(): UserNames {
    return this.#row;
  }

  get acl(): readonly Grant[] | undefined {
    return parseAcl(this.#row.acl);
  }

  get policy(): Policy | undefined {
    return this.#row.policy === null ? undefined : parsedPolicy(this.#row, this.#row.policy);
  }

  get publicAccessBlock(): PublicAccessBlock | undefined {
    return parsePublicAccessBlock(this.#row.publicAccessBlock);
  }
}

/** A parsed bucket policy, with its source text and the name of the bucket. */
interface Parsed {
  readonly name: string;
  readonly text: string;
  readonly policy: Policy;
}

/**
 * The parsed policies by bucket ID. Each thread has its own cache. Comparing 20 KiB of policy text takes about 1 µs;
 * parsing it takes about 1 ms.
 */
const parsed = new Map<number, Parsed>();
const MAX_PARSED = 256;

/**
 * Returns the parsed policy. Throws `InternalError` if the policy cannot be parsed: it might deny the request, so no
 * request is allowed.
 */
function parsedPolicy({ bucketId, name }: BucketRow, text: string): Policy {
  const known = parsed.get(bucketId);
  if (known?.name === name && known.text === text) return known.policy;
  if (parsed.size >= MAX_PARSED) parsed.clear();
  countPolicyReading(text);
  try {
    const policy = parsePolicy(text, name);
    parsed.set(bucketId, { name, text, policy });
    return policy;
  } catch (cause) {
    if (!isStorageError(cause)) throw cause;
    throw new StorageError('InternalError', `read policy of ${name}: the store is damaged`, {
      cause,
    });
  }
}

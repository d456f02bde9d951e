/**
 * Provides the request values with which policy conditions are compared. They come from the caller and from the parsed
 * request instead of raw headers.
 */

import { principalId } from '../../base/principal.ts';
import type { Caller } from '../../object-store/caller.ts';
import type { ConditionValues } from '../../object-store/rules/access/policy-conditions.ts';
import { MAX_COMPARED_CHARACTERS } from '../../object-store/rules/access/policy-work.ts';
import type { VersionRow } from '../schema/rows.ts';
import { parseTags } from '../schema/tag-text.ts';

/** Values of a request by condition key. A value is undefined if the request does not contain it. */
export type Asked = Readonly<Record<string, string | readonly string[] | undefined>>;

interface Request {
  readonly caller: Caller;
  readonly asked?: (() => Asked) | undefined;
  /** Returns the version whose tags the policy conditions compare. */
  readonly version?: (() => VersionRow | undefined) | undefined;
}

const EXISTING_TAG = 's3:existingobjecttag/';

/**
 * Provides the condition values of one request. Calculates each value on first use, because only policies with
 * conditions need it.
 */
export class RequestValues implements ConditionValues {
  readonly #request: Request;
  readonly #known = new Map<string, readonly string[] | undefined>();
  #asked: Asked | undefined;

  constructor(request: Request) {
    this.#request = request;
  }

  get(key: string): readonly string[] | undefined {
    // Cache the values, because a policy can compare one value a thousand times.
    if (this.#known.has(key)) return this.#known.get(key);
    const value = this.#find(key);
    const values = typeof value === 'string' ? [value] : value;
    this.#known.set(key, values);
    return values;
  }

  #find(key: string): string | readonly string[] | undefined {
    const known = KNOWN[key];
    if (known) return known(this.#request);
    if (key.startsWith(EXISTING_TAG)) return this.#tag(key.slice(EXISTING_TAG.length));
    this.#asked ??= this.#request.asked?.() ?? {};
    return this.#asked[key];
  }

  #tag(name: string): string | undefined {
    const tags = parseTags(this.#request.version?.()?.tags ?? null);
    return tags.find(({ key }) => key === name)?.value;
  }
}

const AUTH_TYPES: Readonly<Partial<Record<Caller['authType'], string>>> = {
  header: 'REST-HEADER',
  query: 'REST-QUERY-STRING',
  form: 'POST',
};

/**
 * Returns the beginning of a text, which is the only part that policies compare. Used for values that can be long:
 * referers, user agents, and the prefix and delimiter of a listing, which match nothing if they are longer than any
 * key. Any other value that is too long causes a denial (`LimitedValues`).
 */
function comparedPart(text: string | undefined): string | undefined {
  return text?.slice(0, MAX_COMPARED_CHARACTERS);
}

/** The condition keys whose values come from the caller or from the time of the request. */
const KNOWN: Readonly<Record<string, (request: Request) => string | undefined>> = {
  'aws:currenttime': ({ caller }) => new Date(askedAt(caller)).toISOString(),
  'aws:epochtime': ({ caller }) => String(Math.floor(askedAt(caller) / 1000)),
  'aws:principalarn': ({ caller }) => {
    const id = userIdOf(caller);
    return id === undefined ? undefined : `arn:aws:iam:::user/${id}`;
  },
  'aws:principaltype': ({ caller: { principal } }) =>
    principal.kind === 'user' ? 'User' : 'Anonymous',
  'aws:referer': ({ caller }) => comparedPart(caller.wire?.referer),
  'aws:securetransport': ({ caller }) => String(caller.secure),
  'aws:sourceip': ({ caller }) => caller.sourceIp,
  'aws:useragent': ({ caller }) => comparedPart(caller.userAgent) || undefined,
  'aws:userid': ({ caller }) => userIdOf(caller),
  'aws:username': ({ caller: { principal } }) =>
    principal.kind === 'user' ? principal.user : undefined,
  's3:authtype': ({ caller }) => AUTH_TYPES[caller.authType],
  's3:signatureage': ({ caller }) =>
    caller.authType === 'query' ? String(askedAt(caller) - caller.signedAt) : undefined,
  's3:signatureversion': ({ caller }) => caller.wire?.signatureVersion,
  's3:tlsversion': ({ caller }) => caller.wire?.tlsVersion?.replace(/^TLSv/, ''),
  's3:x-amz-content-sha256': ({ caller }) => caller.wire?.contentSha256,
};

function userIdOf({ principal }: Caller): string | undefined {
  return principal.kind === 'user' ? principalId(principal) : undefined;
}

function askedAt({ askedAt: at, signedAt }: Caller): number {
  return at ?? signedAt;
}

interface List {
  readonly prefix?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly maxKeys?: number | undefined;
}

/**
 * Returns the condition values of a list request. A missing prefix counts as the empty prefix, because both list the
 * same keys.
 */
export function askedOfList({ prefix = '', delimiter, maxKeys }: List): () => Asked {
  return () => ({
    's3:prefix': comparedPart(prefix),
    's3:delimiter': comparedPart(delimiter),
    's3:max-keys': maxKeys === undefined ? undefined : String(maxKeys),
  });
}

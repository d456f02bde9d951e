/**
 * Defines parameters and elements that several listings share: request parameters that the response repeats, common
 * prefixes, and page sizes.
 */

import { defined } from '../../base/defined.ts';
import type { ListObjectsRequest } from '../../object-store/listing.ts';
import { flag, integer, text } from '../codecs.ts';
import { query, type Part } from '../message.ts';
import { leaf, many, optional, record, required, type Schema } from '../xml/schema.ts';
import {
  encodingType,
  encodingTypeWord,
  type NameSpelling,
  type EncodingType,
} from './listing-names.ts';

/** The maximum number of entries per page that the protocol allows. */
export const MAX_PAGE = 1000;

/**
 * The requested number of entries per page. A number above MAX_PAGE is reduced to MAX_PAGE. A number of more than 31
 * bits is rejected, as other services do.
 */
export const pageSize = {
  encode: String,
  decode: (digits: string) => {
    const requested = integer(0, 2 ** 31 - 1).decode(digits);
    return requested === undefined ? undefined : Math.min(requested, MAX_PAGE);
  },
};

const prefixElement = record<{ readonly prefix: string }>({
  prefix: required('Prefix', leaf(text)),
});

/** Returns a schema that also writes the storage class. All objects have the same storage class, so it is not read. */
export function withStorageClass<T extends object>(schema: Schema<T>): Schema<T> {
  return {
    ...schema,
    write: (value) => `${schema.write(value)}<StorageClass>STANDARD</StorageClass>`,
  };
}

/**
 * The request parameters that listings of objects and versions repeat in the response, and whether the page is
 * truncated.
 */
export interface Echo {
  readonly name: string;
  readonly prefix: string;
  readonly delimiter?: string;
  readonly maxKeys: number;
  readonly encodingType?: 'url';
  readonly isTruncated: boolean;
}

export interface CommonPrefixes {
  readonly commonPrefixes: readonly { readonly prefix: string }[];
}

export const echo = {
  name: required('Name', leaf(text)),
  prefix: required('Prefix', leaf(text)),
  delimiter: optional('Delimiter', leaf(text)),
  maxKeys: required('MaxKeys', leaf(integer())),
  encodingType: optional('EncodingType', leaf(encodingTypeWord)),
  isTruncated: required('IsTruncated', leaf(flag)),
};
export const commonPrefixes = many('CommonPrefixes', prefixElement);

type ListScope = Pick<ListObjectsRequest, 'bucket' | 'delimiter' | 'maxKeys' | 'prefix'> &
  EncodingType;

export function writeEcho(
  requested: ListScope,
  isTruncated: boolean,
  { write }: NameSpelling,
): Echo {
  return defined({
    name: requested.bucket,
    prefix: write(requested.prefix ?? ''),
    delimiter: requested.delimiter === undefined ? undefined : write(requested.delimiter),
    maxKeys: requested.maxKeys ?? MAX_PAGE,
    encodingType: requested.encodingType,
    isTruncated,
  });
}

export function ifGiven<T, U>(value: T | undefined, change: (value: T) => U): U | undefined {
  return value === undefined ? undefined : change(value);
}

/**
 * The `continuation-token` parameter. An empty token starts at the beginning, as in S3. It is not treated as absent,
 * because the response must repeat it.
 */
export const continuationToken: Part<{ readonly continuationToken?: string | undefined }> = {
  ...query('continuationToken', 'continuation-token', text),
  decode: (reader, into) => {
    const token = reader.query('continuation-token');
    if (token !== undefined) into.continuationToken = token;
  },
};

export const scope: readonly Part<ListScope>[] = [
  query('prefix', 'prefix', text),
  query('delimiter', 'delimiter', text),
  query('maxKeys', 'max-keys', pageSize),
  encodingType,
];

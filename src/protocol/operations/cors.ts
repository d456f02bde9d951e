/** Defines the operations on the CORS rules of a bucket (specification, "CORS rule"). */

import type {
  CorsConfiguration,
  CorsMethod,
  CorsRule,
  PutCorsRequest,
} from '../../object-store/cors.ts';
import { checkOriginSchemes } from '../../object-store/rules/cors.ts';
import { integer, text, type Codec } from '../codecs.ts';
import { document } from '../xml/document.ts';
import { leaf, many, optional, record, type Field } from '../xml/schema.ts';
import type { BucketInput, Nothing } from './buckets.ts';
import { requestDocument, responseDocument, type Operation } from './operation.ts';

/**
 * The HTTP method of a CORS rule. The codec accepts any word, because `checkCorsRules` validates the method and
 * throws a more specific error.
 */
const method = text as Codec<CorsMethod>;

/**
 * Returns the field for a list of repeated elements. Without elements, the list is undefined instead of empty.
 */
function some(name: string): Field<readonly string[]> {
  const field = many(name, leaf(text));
  return { ...field, parse: (found) => (found.length === 0 ? undefined : field.parse(found)) };
}

const configuration = document<CorsConfiguration>(
  'CORSConfiguration',
  record<CorsConfiguration>({
    rules: many(
      'CORSRule',
      record<CorsRule>({
        id: optional('ID', leaf(text)),
        allowedOrigins: many('AllowedOrigin', leaf(text)),
        allowedMethods: many('AllowedMethod', leaf(method)),
        allowedHeaders: some('AllowedHeader'),
        exposeHeaders: some('ExposeHeader'),
        maxAgeSeconds: optional('MaxAgeSeconds', leaf(integer())),
      }),
    ),
  }),
);

export const getBucketCors: Operation<BucketInput, CorsConfiguration> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'cors',
  request: { parts: [] },
  response: {
    status: 200,
    parts: [],
    body: responseDocument(
      configuration,
      (output) => output,
      (output) => output,
    ),
  },
};

export const putBucketCors: Operation<PutCorsRequest, Nothing> = {
  method: 'PUT',
  target: 'bucket',
  subresource: 'cors',
  request: {
    parts: [],
    body: requestDocument(
      configuration,
      ({ rules }) => ({ rules }),
      (read, { name }) => {
        if (name === 'svc') checkOriginSchemes(read.rules);
        return read;
      },
    ),
  },
  response: { status: 200, parts: [] },
};

export const deleteBucketCors: Operation<BucketInput, Nothing> = {
  method: 'DELETE',
  target: 'bucket',
  subresource: 'cors',
  request: { parts: [] },
  response: { status: 204, parts: [] },
};

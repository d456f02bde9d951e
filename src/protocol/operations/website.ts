/** Defines the operations on the website configuration of a bucket (specification, "Website configuration"). */

import type {
  PutWebsiteRequest,
  RedirectAll,
  RoutingCondition,
  RoutingRedirect,
  RoutingRule,
  WebsiteConfiguration,
} from '../../object-store/website.ts';
import { integer, text, words } from '../codecs.ts';
import { document } from '../xml/document.ts';
import { leaf, many, optional, record, required, type Field } from '../xml/schema.ts';
import type { BucketInput, Nothing } from './buckets.ts';
import { requestDocument, responseDocument, type Operation } from './operation.ts';

/**
 * Returns the field for an element inside a wrapper element. If only the wrapper is present, the value is an empty
 * string.
 */
function inside(name: string, inner: string): Field<string> {
  const field = optional(name, record<{ value?: string }>({ value: optional(inner, leaf(text)) }));
  return {
    names: [name],
    write: (value) => (value === undefined ? '' : field.write({ value })),
    parse: (found) => {
      const parsed = field.parse(found);
      return parsed && (parsed.value ?? '');
    },
  };
}

/**
 * Returns the field for a list of elements inside a wrapper element. If the list is absent, the wrapper is also absent.
 */
function listed<T>(name: string, items: Field<readonly T[]>): Field<readonly T[]> {
  const field = optional(name, record<{ items: readonly T[] }>({ items }));
  return {
    names: [name],
    write: (values) => (values === undefined ? '' : field.write({ items: values })),
    parse: (found) => {
      const parsed = field.parse(found);
      return parsed && parsed.items;
    },
  };
}

const protocol = leaf(words('http', 'https'));
const status = leaf(integer(0, 999));

const routingRule = record<RoutingRule>({
  condition: optional(
    'Condition',
    record<RoutingCondition>({
      keyPrefix: optional('KeyPrefixEquals', leaf(text)),
      errorStatus: optional('HttpErrorCodeReturnedEquals', status),
    }),
  ),
  redirect: required(
    'Redirect',
    record<RoutingRedirect>({
      protocol: optional('Protocol', protocol),
      hostName: optional('HostName', leaf(text)),
      replaceKeyPrefixWith: optional('ReplaceKeyPrefixWith', leaf(text)),
      replaceKeyWith: optional('ReplaceKeyWith', leaf(text)),
      status: optional('HttpRedirectCode', status),
    }),
  ),
});

const configuration = document<WebsiteConfiguration>(
  'WebsiteConfiguration',
  record<WebsiteConfiguration>({
    indexSuffix: inside('IndexDocument', 'Suffix'),
    errorKey: inside('ErrorDocument', 'Key'),
    redirectAll: optional(
      'RedirectAllRequestsTo',
      record<RedirectAll>({
        hostName: required('HostName', leaf(text)),
        protocol: optional('Protocol', protocol),
      }),
    ),
    routingRules: listed('RoutingRules', many('RoutingRule', routingRule)),
  }),
);

export const getBucketWebsite: Operation<BucketInput, WebsiteConfiguration> = {
  method: 'GET',
  target: 'bucket',
  subresource: 'website',
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

export const putBucketWebsite: Operation<PutWebsiteRequest, Nothing> = {
  method: 'PUT',
  target: 'bucket',
  subresource: 'website',
  request: {
    parts: [],
    body: requestDocument(
      configuration,
      ({ website }) => website,
      (website) => ({ website }),
    ),
  },
  response: { status: 200, parts: [] },
};

export const deleteBucketWebsite: Operation<BucketInput, Nothing> = {
  method: 'DELETE',
  target: 'bucket',
  subresource: 'website',
  request: { parts: [] },
  response: { status: 204, parts: [] },
};

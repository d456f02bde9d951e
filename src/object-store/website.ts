/**
 * Defines a bucket's website configuration and its operations (specification, "Website configuration"; semantics B.8).
 */

import type { CallOptions } from './object-store.ts';

export type WebsiteProtocol = 'http' | 'https';

export interface RedirectAll {
  /** The host to which requests are redirected, with an optional port. */
  readonly hostName: string;
  /** The protocol of the redirect. By default, the protocol of the request. */
  readonly protocol?: WebsiteProtocol;
}

/** When a routing rule applies. At least one field is present. If both fields are present, both must match. */
export interface RoutingCondition {
  readonly keyPrefix?: string;
  /** The HTTP status of the error, 400 to 599. */
  readonly errorStatus?: number;
}

/** The changes to the URL of the request. If a field is absent, that part of the URL remains unchanged. */
export interface RoutingRedirect {
  readonly protocol?: WebsiteProtocol;
  readonly hostName?: string;
  /**
   * The text that replaces the condition's `keyPrefix` at the start of the key. Cannot be combined with
   * `replaceKeyWith`.
   */
  readonly replaceKeyPrefixWith?: string;
  readonly replaceKeyWith?: string;
  /** The HTTP status of the redirect, by default 301. */
  readonly status?: number;
}

export interface RoutingRule {
  /** When the rule applies. If absent, the rule applies to every request. */
  readonly condition?: RoutingCondition;
  readonly redirect: RoutingRedirect;
}

/**
 * A bucket's website configuration. Contains either only `redirectAll`, or `indexSuffix` and optionally `errorKey` and
 * `routingRules`.
 */
export interface WebsiteConfiguration {
  /** The text that is appended to a folder's name to get the key of its index page, for example `index.html`. */
  readonly indexSuffix?: string;
  /** The key of the object to return for an error. */
  readonly errorKey?: string;
  readonly redirectAll?: RedirectAll;
  /** The routing rules, at most 50. The first matching rule applies. */
  readonly routingRules?: readonly RoutingRule[];
}

export interface PutWebsiteRequest {
  readonly bucket: string;
  readonly website: WebsiteConfiguration;
}

export interface WebsiteKeeper {
  /** Returns the bucket's website configuration. Rejects with `NoSuchWebsiteConfiguration` if the bucket has none. */
  getWebsite(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<WebsiteConfiguration>;
  /**
   * Replaces the bucket's website configuration. Rejects with the errors of `checkWebsite` if the new configuration is
   * invalid.
   */
  putWebsite(request: PutWebsiteRequest, options?: CallOptions): Promise<void>;
  /** Removes the bucket's website configuration. Also resolves if the bucket has none. */
  deleteWebsite(request: { readonly bucket: string }, options?: CallOptions): Promise<void>;
}

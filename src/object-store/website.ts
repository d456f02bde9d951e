/**
 * Declares the website configuration of a bucket and its operations (specification, "Website configuration"; semantics
 * B.8).
 */

import type { CallOptions } from './object-store.ts';

export type WebsiteProtocol = 'http' | 'https';

export interface RedirectAll {
  /** A host, with or without a port. */
  readonly hostName: string;
  /** Default: the protocol of the request. */
  readonly protocol?: WebsiteProtocol;
}

/** At least one member is present. If both are, both must match. */
export interface RoutingCondition {
  readonly keyPrefix?: string;
  /** The HTTP status of an error: 400 to 599. */
  readonly errorStatus?: number;
}

/** Changes to the URL of the request. An absent member keeps that part of the URL. */
export interface RoutingRedirect {
  readonly protocol?: WebsiteProtocol;
  readonly hostName?: string;
  /** Replaces the condition's `keyPrefix` at the start of the key. Cannot be combined with `replaceKeyWith`. */
  readonly replaceKeyPrefixWith?: string;
  readonly replaceKeyWith?: string;
  /** The HTTP status of the redirect. Default: 301. */
  readonly status?: number;
}

export interface RoutingRule {
  /** If absent, the rule applies to every request. */
  readonly condition?: RoutingCondition;
  readonly redirect: RoutingRedirect;
}

/** Either only `redirectAll` is present, or `indexSuffix` and optionally `errorKey` and `routingRules`. */
export interface WebsiteConfiguration {
  /** Appended to the name of a folder, for example `index.html`. */
  readonly indexSuffix?: string;
  /** The key of the error page. */
  readonly errorKey?: string;
  readonly redirectAll?: RedirectAll;
  /** At most 50. The first rule that matches applies. */
  readonly routingRules?: readonly RoutingRule[];
}

export interface PutWebsiteRequest {
  readonly bucket: string;
  readonly website: WebsiteConfiguration;
}

export interface WebsiteKeeper {
  /** Returns the configuration. Rejects with `NoSuchWebsiteConfiguration` if the bucket has none. */
  getWebsite(
    request: { readonly bucket: string },
    options?: CallOptions,
  ): Promise<WebsiteConfiguration>;
  /** Replaces the previous configuration. Rejects with the errors of `checkWebsite` if the new one is invalid. */
  putWebsite(request: PutWebsiteRequest, options?: CallOptions): Promise<void>;
  /** Resolves even if the bucket has none. */
  deleteWebsite(request: { readonly bucket: string }, options?: CallOptions): Promise<void>;
}

/**
 * Defines a bucket's CORS rules and their operations (specification, "CORS rule"; semantics B.9). CORS rules restrict
 * browsers; they grant no permissions.
 */

import type { CallOptions } from './object-store.ts';

export const CORS_METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD'] as const;

export type CorsMethod = (typeof CORS_METHODS)[number];

export interface CorsRule {
  /** A label of at most 255 characters. It has no effect. */
  readonly id?: string;
  /**
   * The origins to which the rule applies. An origin is `*`, or a scheme and a host with an optional port, as in
   * `https://app.example.com:8443`. Each origin can contain one `*`.
   */
  readonly allowedOrigins: readonly string[];
  readonly allowedMethods: readonly CorsMethod[];
  /** Names of request headers that a browser may send, in any case. Each can contain one `*`. */
  readonly allowedHeaders?: readonly string[];
  /** Response headers that scripts may read, in addition to those that CORS always permits. */
  readonly exposeHeaders?: readonly string[];
  /** The time for which a browser may cache the response to a preflight. */
  readonly maxAgeSeconds?: number;
}

export interface CorsConfiguration {
  /** The rules, 1 to 100. The first matching rule applies. */
  readonly rules: readonly CorsRule[];
}

export interface PutCorsRequest extends CorsConfiguration {
  readonly bucket: string;
}

export interface CorsKeeper {
  /** Returns the bucket's CORS rules. Rejects with `NoSuchCORSConfiguration` if the bucket has none. */
  getCors(request: { readonly bucket: string }, options?: CallOptions): Promise<CorsConfiguration>;
  /** Replaces the bucket's CORS rules. Rejects with `InvalidRequest` or `MalformedXML` if the new rules are invalid. */
  putCors(request: PutCorsRequest, options?: CallOptions): Promise<void>;
  /** Removes the bucket's CORS rules. Also resolves if the bucket has none. */
  deleteCors(request: { readonly bucket: string }, options?: CallOptions): Promise<void>;
}

/**
 * Declares the CORS rules of a bucket and their operations (specification, "CORS rule"; semantics B.9). The rules restrict
 * browsers, and grant no permissions.
 */

import type { CallOptions } from './object-store.ts';

export const CORS_METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD'] as const;

export type CorsMethod = (typeof CORS_METHODS)[number];

export interface CorsRule {
  /** A label of at most 255 characters, without effect. */
  readonly id?: string;
  /** `*`, or a scheme and a host with or without a port, as in `https://app.example.com:8443`; it may contain one `*`. */
  readonly allowedOrigins: readonly string[];
  readonly allowedMethods: readonly CorsMethod[];
  /** Names of request headers, in any case; each may contain one `*`. */
  readonly allowedHeaders?: readonly string[];
  /** Response headers that scripts may read, in addition to the CORS-safelisted ones. */
  readonly exposeHeaders?: readonly string[];
  /** How long a browser may cache the response to a preflight. */
  readonly maxAgeSeconds?: number;
}

export interface CorsConfiguration {
  /** 1 to 100 rules. The first rule that matches applies. */
  readonly rules: readonly CorsRule[];
}

export interface PutCorsRequest extends CorsConfiguration {
  readonly bucket: string;
}

export interface CorsKeeper {
  /** Returns the rules. Rejects with `NoSuchCORSConfiguration` if the bucket has none. */
  getCors(request: { readonly bucket: string }, options?: CallOptions): Promise<CorsConfiguration>;
  /** Replaces the previous configuration. Rejects with `InvalidRequest` or `MalformedXML` if the new rules are invalid. */
  putCors(request: PutCorsRequest, options?: CallOptions): Promise<void>;
  /** Resolves even if the bucket has none. */
  deleteCors(request: { readonly bucket: string }, options?: CallOptions): Promise<void>;
}

/** Converts an error response to a ClusterError. */

import { headerValue, type WireHeaders } from '../../protocol/wire.ts';
import { CLUSTER_ERRORS, ClusterError, type ClusterErrorCode } from '../cluster-error.ts';

interface Refused {
  readonly status: number;
  readonly headers: WireHeaders;
  /** The parsed JSON body. Undefined if the body is not JSON. */
  readonly document: unknown;
}

/**
 * Returns the error of a response. Its code is the error name in a header or in the body. If the
 * name is absent or unknown, the HTTP status determines the code.
 */
export function refusalOf(
  { status, headers, document }: Refused,
  { name, url }: { readonly name: string; readonly url: string },
): ClusterError {
  const members = (typeof document === 'object' && document !== null ? document : {}) as Readonly<
    Record<string, unknown>
  >;
  const text = (member: string) => {
    const value = members[member];
    return typeof value === 'string' ? value : undefined;
  };
  const said = errorHeader(headers) ?? text('__type') ?? text('code') ?? text('Code');
  const code = codeOf(said, status);
  const detail = text('message') ?? text('Message') ?? `the service answered ${status}`;
  const isOurs = said === code;
  const message = isOurs ? detail : `${name} at ${url}: ${said ? `${said}: ` : ''}${detail}`;
  return new ClusterError(code, message, {
    clusterName: text('clusterName'),
    nodegroupName: text('nodegroupName'),
  });
}

/**
 * Returns the error name from the header `x-amzn-errortype`, `x-svc-errortype`, or a header with
 * another vendor prefix.
 */
function errorHeader(headers: WireHeaders): string | undefined {
  const name = headers.find(([each]) => /^x-[a-z]+-errortype$/.test(each))?.[0];
  return name && headerValue(headers, name)?.split(/[:,]/)[0]?.split('#').at(-1)?.trim();
}

function codeOf(said: string | undefined, status: number): ClusterErrorCode {
  const name = said?.split('#').at(-1) ?? '';
  if (Object.hasOwn(CLUSTER_ERRORS, name)) return name as ClusterErrorCode;
  // A service without this operation rejects the path or the HTTP method.
  if (status === 404 || status === 405 || status === 501) return 'UnknownOperationException';
  if (status === 401 || status === 403) return 'AccessDeniedException';
  if (status === 429) return 'ThrottlingException';
  if (status === 503) return 'ServiceUnavailableException';
  return status >= 500 ? 'ServerException' : 'ClientException';
}

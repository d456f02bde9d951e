/** Parses the bytes of a recorded connection into HTTP requests. */

export interface RecordedRequest {
  readonly method: string;
  /** Request target as it appears in the request line. */
  readonly url: string;
  /** Header values by name. The names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** All bytes of the request, from the request line to the end of the body. */
  readonly bytes: Buffer;
}

const END_OF_HEAD = '\r\n\r\n';
const END_OF_CHUNKS = '0\r\n\r\n';

/**
 * Returns all requests in `bytes`. The body of the last request may be missing, because a client
 * does not send the body after an error response.
 */
export function requestsIn(bytes: Buffer): RecordedRequest[] {
  const requests: RecordedRequest[] = [];
  for (let rest = bytes; rest.byteLength > 0;) {
    const request = firstRequest(rest) ?? headOf(rest);
    if (request === undefined) throw new Error('read recording: the last request is incomplete');
    requests.push(request);
    rest = rest.subarray(request.bytes.byteLength);
  }
  return requests;
}

/** Returns the first request, or undefined if it is incomplete. */
export function firstRequest(bytes: Buffer): RecordedRequest | undefined {
  const head = headOf(bytes);
  if (head === undefined) return undefined;
  const end = bodyEnd(bytes, head.bytes.byteLength, head.headers);
  if (end === undefined || end > bytes.byteLength) return undefined;
  return { ...head, bytes: bytes.subarray(0, end) };
}

/** Parses the request line and the headers of the first request. */
function headOf(bytes: Buffer): RecordedRequest | undefined {
  const headEnd = bytes.indexOf(END_OF_HEAD);
  if (headEnd === -1) return undefined;
  const [line = '', ...fields] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headers = new Map(
    fields.map((field) => {
      const colon = field.indexOf(':');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
    }),
  );
  const [method = '', url = ''] = line.split(' ');
  return { method, url, headers, bytes: bytes.subarray(0, headEnd + END_OF_HEAD.length) };
}

function bodyEnd(
  bytes: Buffer,
  start: number,
  headers: ReadonlyMap<string, string>,
): number | undefined {
  if (headers.get('transfer-encoding') !== 'chunked') {
    return start + Number(headers.get('content-length') ?? 0);
  }
  for (let at = start; ;) {
    const sizeEnd = bytes.indexOf('\r\n', at);
    if (sizeEnd === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, sizeEnd).toString('latin1'), 16);
    if (size === 0) return at + END_OF_CHUNKS.length;
    at = sizeEnd + 2 + size + 2;
  }
}

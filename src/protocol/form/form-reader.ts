/**
 * A body of multipart/form-data (RFC 7578), read part by part and never held whole. Nothing is guessed and nothing is
 * passed over: a part that cannot be read is an error, since a policy speaks only of the fields that were seen.
 */

import { StorageError } from '../../object-store/storage-error.ts';
import { DelimitedReader } from './delimited-reader.ts';

export interface FormPart {
  /** As it was sent. */
  readonly name: string;
  /** Without folders; absent unless the part is a file. */
  readonly filename?: string;
}

/** RFC 2046 §5.1.1: 1 to 70 of these, and no blank at the end. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;
const CONTENT_TYPE =
  /^multipart\/form-data[ \t]*;(?:[^"]*;)?[ \t]*boundary=(?:"([^"]*)"|([^";, \t]*))[ \t]*(?:;|$)/i;

/** Throws MalformedPOSTRequest. */
export function boundaryOf(contentType: string): string {
  const match = CONTENT_TYPE.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? '';
  if (BOUNDARY.test(boundary)) return boundary;
  throw malformed('its Content-Type names no boundary of 1 to 70 characters');
}

/** The headers of one part; longer names are longer than any key. */
const MAX_HEAD_BYTES = 4 * 1024;
const LINE_END = Buffer.from('\r\n');
const HEAD_END = Buffer.from('\r\n\r\n');

export class FormReader {
  readonly #reader: DelimitedReader;
  readonly #delimiter: Buffer;
  #begun = false;

  constructor(stream: AsyncIterable<Uint8Array>, boundary: string) {
    this.#reader = new DelimitedReader(stream);
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** The next part, whose bytes are to be read to their end; undefined after the last. Throws MalformedPOSTRequest. */
  async next(): Promise<FormPart | undefined> {
    if (!this.#begun) await this.#begin();
    const after = await this.#reader.exactly(2);
    if (after.equals(Buffer.from('--'))) return undefined;
    if (!after.equals(LINE_END))
      throw malformed('a boundary is followed by neither a line nor its end');
    const head = await this.#reader.upTo(HEAD_END, MAX_HEAD_BYTES);
    if (head.length === 0 || head.subarray(0, 2).equals(LINE_END)) {
      throw malformed('a part has no headers');
    }
    return readHead(textOf(head));
  }

  /** The part's bytes. Throws MaxMessageLengthExceeded beyond the limit. */
  value(limitBytes: number): Promise<Buffer> {
    return this.#reader.upTo(this.#delimiter, limitBytes);
  }

  /** The same piece by piece, as they come. */
  async *pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    yield* this.#reader.until(this.#delimiter);
    const after = await this.#reader.exactly(2);
    const isEnd = after.equals(Buffer.from('--')) || after.equals(LINE_END);
    if (!isEnd) throw malformed('the boundary behind the file is not one');
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  /** The first boundary has no line before it. */
  async #begin(): Promise<void> {
    this.#begun = true;
    const first = this.#delimiter.subarray(LINE_END.length);
    const begin = await this.#reader.exactly(first.length);
    if (!begin.equals(first)) throw malformed('it does not begin with its boundary');
  }
}

/** UTF-8, or MalformedPOSTRequest. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw malformed('it holds text that is no UTF-8', cause);
  }
}

/** Encodings that change nothing: others would be stored as they came. */
const PLAIN_ENCODINGS = new Set(['7bit', '8bit', 'binary']);

function readHead(head: string): FormPart {
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    if (!/^[!-9;-~]+$/.test(name) || headers.has(name)) throw malformed('a part has a bad header');
    headers.set(name, line.slice(colon + 1).trim());
  }
  const encoding = headers.get('content-transfer-encoding') ?? 'binary';
  if (!PLAIN_ENCODINGS.has(encoding.toLowerCase())) {
    throw malformed(`the encoding ${encoding} of a part is not known`);
  }
  return readDisposition(headers.get('content-disposition') ?? '');
}

const PARAMETER = /[ \t]*;[ \t]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s";]*))/y;

function readDisposition(value: string): FormPart {
  const kind = 'form-data';
  if (value.slice(0, kind.length).toLowerCase() !== kind) {
    throw malformed('a part has no Content-Disposition of form-data');
  }
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = kind.length;
  let read = kind.length;
  for (let match = PARAMETER.exec(value); match; match = PARAMETER.exec(value)) {
    const name = (match[1] ?? '').toLowerCase();
    if (parameters.has(name)) throw malformed(`a part has ${name} twice`);
    parameters.set(name, unescaped(match[2] ?? match[3] ?? ''));
    read = PARAMETER.lastIndex;
  }
  if (value.slice(read).trim() !== '') throw malformed('a Content-Disposition cannot be read');
  const name = parameters.get('name');
  if (!name) throw malformed('a part has no name');
  const filename = parameters.get('filename');
  return filename === undefined ? { name } : { name, filename: withoutFolders(filename) };
}

/** Some escape by a backslash, and browsers by percent signs (the HTML standard, "multipart/form-data encoding"). */
function unescaped(text: string): string {
  return text
    .replace(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"')
    .replaceAll(/%0d/gi, '\r')
    .replaceAll(/%0a/gi, '\n');
}

/** Strips the directory from a file name: old browsers send the local path. */
function withoutFolders(filename: string): string {
  return filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1);
}

function malformed(reason: string, cause?: unknown): StorageError {
  return new StorageError('MalformedPOSTRequest', `read form: ${reason}`, { cause });
}

/**
 * Sends the calls of the sequential model (object-model.ts) to a service over one HTTP connection.
 */

import type { FreeSigner } from './free-signer.ts';
import { HttpSocket, type RawAnswer } from './http-socket.ts';
import type { Conditions, ObjectAnswer, ObjectCall } from './object-model.ts';

export interface ObjectClientOptions {
  readonly port: number;
  readonly signer: FreeSigner;
  readonly bucket: string;
}

export class ObjectClient {
  readonly #options: ObjectClientOptions;
  readonly #socket: HttpSocket;

  constructor(options: ObjectClientOptions) {
    this.#options = options;
    this.#socket = new HttpSocket(options.port);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Creates a multipart upload with one part, and returns the id of the upload. */
  async prepareUpload(key: string, text: string): Promise<string> {
    const created = await this.#send('POST', `${key}?uploads`);
    const uploadId = /<UploadId>(.*?)</.exec(created.text())?.[1] ?? '';
    await this.#send('PUT', `${key}?partNumber=1&uploadId=${uploadId}`, { body: text });
    return uploadId;
  }

  /**
   * Performs a call. Rejects if the connection closes before the response arrives; the call may
   * still have taken effect. `uploadId` is the multipart upload that a completion completes.
   */
  async perform(call: ObjectCall, uploadId = ''): Promise<ObjectAnswer> {
    switch (call.kind) {
      case 'get':
        return readAnswer(await this.#send('GET', call.key), true);
      case 'head':
        return readAnswer(await this.#send('HEAD', call.key), false);
      case 'delete':
        return { status: (await this.#send('DELETE', call.key, call)).status };
      case 'put':
        return readAnswer(await this.#send('PUT', call.key, { ...call, body: call.text }), false);
      case 'copy': {
        const source = `/${this.#options.bucket}/${call.source}`;
        return inDocument(await this.#send('PUT', call.key, { ...call, source }));
      }
      case 'complete': {
        const etag = `<Part><PartNumber>1</PartNumber><ETag>${await this.#etagOfPart(call.key, uploadId)}</ETag></Part>`;
        const body = `<CompleteMultipartUpload>${etag}</CompleteMultipartUpload>`;
        return inDocument(
          await this.#send('POST', `${call.key}?uploadId=${uploadId}`, { ...call, body }),
        );
      }
      default:
        return call satisfies never;
    }
  }

  async #etagOfPart(key: string, uploadId: string): Promise<string> {
    const parts = await this.#send('GET', `${key}?uploadId=${uploadId}`);
    return /<ETag>(.*?)<\/ETag>/.exec(parts.text())?.[1] ?? '';
  }

  #send(
    method: string,
    keyAndQuery: string,
    given: {
      readonly conditions?: Conditions;
      readonly body?: string;
      readonly source?: string;
    } = {},
  ): Promise<RawAnswer> {
    const { bucket, signer } = this.#options;
    const { conditions: { ifMatch, ifNoneMatch } = {}, body, source } = given;
    const headers: [string, string][] = [];
    if (ifMatch !== undefined) headers.push(['if-match', ifMatch === '*' ? '*' : `"${ifMatch}"`]);
    if (ifNoneMatch !== undefined) headers.push(['if-none-match', ifNoneMatch]);
    if (source !== undefined) headers.push(['x-*-copy-source', source]);
    const url = `/${bucket}/${keyAndQuery}`;
    const needsLength = method === 'PUT' || method === 'POST';
    const wish = { method, url, headers, ...(needsLength && { body: body ?? '' }) };
    this.#socket.write(signer.sign(wish).text);
    return this.#socket.answer(method);
  }
}

/**
 * Returns the status, the ETag and the content of a successful response. For an error response, it
 * returns only the status.
 */
function readAnswer(answer: RawAnswer, withText: boolean): ObjectAnswer {
  const { status } = answer;
  if (status >= 300) return { status };
  const etag = (answer.header('etag') ?? '').replaceAll('"', '');
  return { status, etag, ...(withText && { text: answer.text() }) };
}

/**
 * Reads the ETag from the XML response to a copy or a completion. Such a response can contain an
 * error even if its status is 200.
 */
function inDocument(answer: RawAnswer): ObjectAnswer {
  const { status } = answer;
  if (status >= 300) return { status };
  const text = answer.text();
  if (text.includes('<Error>')) return { status: text.includes('PreconditionFailed') ? 412 : 404 };
  return { status, etag: (/<ETag>(.*?)<\/ETag>/.exec(text)?.[1] ?? '').replaceAll('&quot;', '') };
}

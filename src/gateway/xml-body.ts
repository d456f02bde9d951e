/** Bodies that are documents, and those that should not be there. */

import { collect } from '../object-store/body.ts';
import { StorageError } from '../object-store/storage-error.ts';
import { MAX_XML_BYTES } from '../protocol/xml/parse.ts';

/** Throws MaxMessageLengthExceeded, and MalformedXML for bytes that are no UTF-8. */
export async function readXmlBody(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await collect(bytes, MAX_XML_BYTES));
  } catch (cause) {
    if (cause instanceof RangeError) {
      throw new StorageError(
        'MaxMessageLengthExceeded',
        `read XML: more than ${MAX_XML_BYTES} bytes`,
        { cause },
      );
    }
    if (cause instanceof TypeError)
      throw new StorageError('MalformedXML', 'read XML: it is no UTF-8', { cause });
    throw cause;
  }
}

/** Reads to the end, so that the body's digest is held to what was signed. Throws UnexpectedContent for a byte. */
export async function expectNoBody(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of bytes) {
    if (chunk.byteLength > 0)
      throw new StorageError('UnexpectedContent', 'read body: none is allowed here');
  }
}

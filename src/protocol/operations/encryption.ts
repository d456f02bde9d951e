/**
 * Reads and writes the headers of customer-provided encryption keys (SSE-C). A request has three of these headers, and
 * the response repeats two of them (semantics B.10).
 */

import type { CustomerEncryption, CustomerKey } from '../../object-store/customer-key.ts';
import { CUSTOMER_ALGORITHM, readCustomerKey } from '../../object-store/rules/customer-keys.ts';
import { StorageError } from '../../object-store/storage-error.ts';
import type { Draft, MessageReader, MessageWriter, Part } from '../message.ts';

const ENCRYPTION = 'server-side-encryption';
const OF_TARGET = `${ENCRYPTION}-customer-`;
const OF_SOURCE = `copy-source-${ENCRYPTION}-customer-`;

/** The text that every customer key header contains in its name, including the headers for the source of a copy. */
export const CUSTOMER_KEY_NAMES = OF_TARGET;

/**
 * The customer-provided key of a request. Decoding throws the errors of `readCustomerKey`. Decoding throws
 * InvalidArgument if the request also specifies a different encryption method.
 */
export const customerKey: Part<{ readonly customerKey?: CustomerKey | undefined }> = {
  encode: (message, writer) => write(writer, OF_TARGET, message.customerKey),
  decode: (reader, into) => {
    const key = read(reader, OF_TARGET);
    if (key === undefined) return;
    refuseOtherEncryption(reader);
    into.customerKey = key;
  },
};

/** The customer-provided key that decrypts the source of a copy. */
export const sourceCustomerKey: Part<{ readonly sourceCustomerKey?: CustomerKey | undefined }> = {
  encode: (message, writer) => write(writer, OF_SOURCE, message.sourceCustomerKey),
  decode: (reader, into) => {
    const key = read(reader, OF_SOURCE);
    if (key !== undefined) into.sourceCustomerKey = key;
  },
};

function write(writer: MessageWriter, prefix: string, key: CustomerKey | undefined): void {
  if (key === undefined) return;
  writer.vendor(`${prefix}algorithm`, CUSTOMER_ALGORITHM);
  writer.vendor(`${prefix}key`, key.reveal());
  writer.vendor(`${prefix}key-md5`, key.md5);
}

function read(reader: MessageReader, prefix: string): CustomerKey | undefined {
  return readCustomerKey({
    algorithm: reader.vendor(`${prefix}algorithm`),
    key: reader.vendor(`${prefix}key`),
    keyMd5: reader.vendor(`${prefix}key-md5`),
  });
}

function refuseOtherEncryption(reader: MessageReader): void {
  const others = reader
    .vendorStartingWith(ENCRYPTION)
    .filter(([name]) => !name.startsWith('-customer-'));
  if (others.length === 0) return;
  throw new StorageError(
    'InvalidArgument',
    'Server Side Encryption with Customer provided key is incompatible with the encryption method specified',
  );
}

/** The response headers that let the client verify which customer-provided key was used. */
export const customerEncryption: Part<{ readonly encryption?: CustomerEncryption | undefined }> = {
  encode: ({ encryption }, writer) => {
    if (encryption === undefined) return;
    writer.vendor(`${OF_TARGET}algorithm`, encryption.algorithm);
    writer.vendor(`${OF_TARGET}key-md5`, encryption.keyMd5);
  },
  decode: (reader, into: Draft<{ encryption?: CustomerEncryption }>) => {
    const algorithm = reader.vendor(`${OF_TARGET}algorithm`);
    const keyMd5 = reader.vendor(`${OF_TARGET}key-md5`);
    if (algorithm !== CUSTOMER_ALGORITHM || keyMd5 === undefined) return;
    into.encryption = { algorithm, keyMd5 };
  },
};

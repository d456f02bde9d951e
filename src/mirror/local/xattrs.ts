/**
 * Reads and sets extended user attributes (`user.…`) through the C library, because Node has no calls for them. Works
 * only on Linux; on other systems, all files appear to have none.
 */

import { hash } from 'node:crypto';

import { once } from '../../base/once.ts';
import { codeOf, systemError } from './system-error.ts';

/** All extended attributes of a file as canonical text. Equal attributes always give equal text. */
export interface Xattrs {
  /** JSON list of `[name, base64 of the value]`, sorted by name. */
  readonly text: string;
  /** SHA-256 of the text in lower-case hex. */
  readonly digest: string;
}

export interface XattrCalls {
  /** Reads the extended attributes of an open file or folder; undefined if it has none. Throws a system error. */
  readonly read: (descriptor: number) => Xattrs | undefined;
  /**
   * Sets the extended attributes in `text` and removes all others. Throws a system error, or a SyntaxError if the text
   * is invalid.
   */
  readonly write: (descriptor: number, text: string) => void;
}

const PREFIX = 'user.';
/** Maximum size in bytes of the list of names, and of a value: XATTR_LIST_MAX and XATTR_SIZE_MAX in xattr(7). */
const MAX_BYTES = 65_536;
/**
 * Error codes that count as no attributes. The file system has none or does not allow access to them, or the attribute
 * was removed in the meantime.
 */
const NONE: ReadonlySet<string> = new Set(['EOPNOTSUPP', 'ENOTSUP', 'ENODATA', 'EPERM', 'EACCES']);

const NO_CALLS: XattrCalls = { read: () => undefined, write: () => undefined };

/** Loads the foreign function library once. On systems other than Linux, the calls do nothing. */
export const loadXattrs = once(() =>
  process.platform === 'linux' ? load() : Promise.resolve(NO_CALLS),
);

export function parseXattrs(text: string): Map<string, Buffer> {
  const pairs: unknown = JSON.parse(text);
  if (!Array.isArray(pairs)) throw new SyntaxError('the extended attributes are not a list');
  return new Map(
    pairs.map((pair: unknown) => {
      const [name, value]: unknown[] = Array.isArray(pair) ? pair : [];
      if (typeof name !== 'string' || typeof value !== 'string' || !name.startsWith(PREFIX))
        throw new SyntaxError('the extended attributes contain an invalid user attribute');
      return [name, Buffer.from(value, 'base64')] as const;
    }),
  );
}

export function writeXattrText(values: ReadonlyMap<string, Uint8Array>): Xattrs | undefined {
  if (values.size === 0) return undefined;
  const pairs = [...values].sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify(
    pairs.map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
  );
  return { text, digest: hash('sha256', text) };
}

async function load(): Promise<XattrCalls> {
  const { default: koffi } = await import('koffi');
  const c = koffi.load(null);
  const flistxattr = c.func('intptr_t flistxattr(int descriptor, void *list, size_t size)');
  const fgetxattr = c.func(
    'intptr_t fgetxattr(int descriptor, const char *name, void *value, size_t size)',
  );
  const fsetxattr = c.func(
    'int fsetxattr(int descriptor, const char *name, const void *value, size_t size, int flags)',
  );
  const fremovexattr = c.func('int fremovexattr(int descriptor, const char *name)');
  const buffer = Buffer.alloc(MAX_BYTES);
  /** Returns the bytes that the system call wrote to the buffer; undefined if the attribute does not exist. */
  const bytesOf = (what: string, length: number): Buffer | undefined => {
    if (length >= 0) return buffer.subarray(0, length);
    const code = codeOf(koffi.errno());
    if (NONE.has(code)) return undefined;
    throw systemError(what, code);
  };
  const namesOf = (descriptor: number): string[] => {
    const list = bytesOf(
      'cannot list the extended attributes',
      flistxattr(descriptor, buffer, MAX_BYTES) as number,
    );
    const names = list?.toString().split('\0') ?? [];
    return names.filter((name) => name.startsWith(PREFIX) && !name.includes('\uFFFD'));
  };
  const check = (what: string, result: number) => {
    if (result !== 0) throw systemError(what, codeOf(koffi.errno()));
  };
  return {
    read(descriptor) {
      const values = new Map<string, Uint8Array>();
      for (const name of namesOf(descriptor)) {
        const length = fgetxattr(descriptor, name, buffer, MAX_BYTES) as number;
        const value = bytesOf(`cannot read the extended attribute ${name}`, length);
        if (value) values.set(name, Buffer.from(value));
      }
      return writeXattrText(values);
    },
    write(descriptor, text) {
      const wanted = parseXattrs(text);
      for (const name of namesOf(descriptor))
        if (!wanted.has(name))
          check(
            `cannot remove the extended attribute ${name}`,
            fremovexattr(descriptor, name) as number,
          );
      for (const [name, value] of wanted) {
        const result = fsetxattr(descriptor, name, value, value.byteLength, 0) as number;
        check(`cannot set the extended attribute ${name}`, result);
      }
    },
  };
}

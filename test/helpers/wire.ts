/**
 * Sends requests of one operation and shows requests and responses as text, in both dialects (`s3`
 * and `svc`). Placeholders in braces replace values that differ between runs. `{box}` is the bucket
 * of the test, and tests can define more placeholders.
 */

import { beforeEach, describe, expect, test } from 'vitest';
import { bytesBody } from '../../src/object-store/body.ts';
import type { ObjectStore, PutObjectRequest } from '../../src/object-store/object-store.ts';
import type { Dialect } from '../../src/protocol/dialect.ts';
import { formatHttpDate } from '../../src/protocol/dates.ts';
import { parsePath } from '../../src/protocol/paths.ts';
import type { XmlElement } from '../../src/protocol/xml/element.ts';
import { parseXml } from '../../src/protocol/xml/parse.ts';
import type { RawAnswer } from './http-socket.ts';
import { dialects, type RawRequest, type WireBench } from './wire-bench.ts';

/** Parts of a request other than its method and URL. */
export type Given = Omit<RawRequest, 'method' | 'url'>;

/** Response without the headers that every response has. Vendor headers have the prefix `x-*-`. */
export interface Shown {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** XML without the XML declaration, or the content of the object as UTF-8 text. */
  readonly body: string;
}

/**
 * Error response: the status, the code and the other elements of its XML. Bucket and key are
 * included only if they differ from those of the request.
 */
export type Refusal = Readonly<Record<string, number | string>>;

/**
 * Test row: the reason of the refusal for the test title, the request line, the other parts of the
 * request, and the expected error.
 */
export type RefusalRow = readonly [claim: string, line: string, given: Given, refusal: Refusal];

/** Maximum number of characters of a request line that a test title shows. */
const SHOWN_CHARACTERS = 60;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
/** XML elements that every error response has. This file checks them. */
const ALWAYS_PRESENT = new Set(['Message', 'RequestId', 'HostId']);

export function inBothDialects(bench: WireBench, tests: (wire: Wire) => void): void {
  describe.each(Object.values(dialects))('in dialect $name', (dialect) => {
    const wire = new Wire(bench, dialect);
    beforeEach(() => wire.box());
    tests(wire);
  });
}

export class Wire {
  readonly bench: WireBench;
  readonly dialect: Dialect;
  #names = new Map<string, string>();

  constructor(bench: WireBench, dialect: Dialect) {
    this.bench = bench;
    this.dialect = dialect;
  }

  /** Object store of the engine. Calls on it bypass the gateway. */
  get store(): ObjectStore {
    return this.bench.store;
  }

  /** Removes all placeholders and creates a new bucket `{box}`, so that every test starts with an empty bucket. */
  async box(options: { readonly objectLockEnabled?: boolean } = {}): Promise<void> {
    this.#names = new Map([['box', await this.bench.bucket(options)]]);
  }

  async versioning(versioning: 'Enabled' | 'Suspended'): Promise<void> {
    await this.store.putVersioning({ bucket: this.get('box'), versioning });
  }

  /**
   * Stores an object without using the gateway. With `name`, it defines the placeholder `{name}`
   * for the version id.
   */
  async put(
    key: string,
    content: string,
    { name, ...request }: { name?: string } & Partial<PutObjectRequest> = {},
  ): Promise<void> {
    const { versionId } = await this.store.putObject({
      bucket: this.get('box'),
      key,
      body: bytesBody(content),
      ...request,
    });
    if (name !== undefined) this.name(name, versionId);
  }

  name(name: string, value: string | undefined): void {
    if (!value) throw new Error(`the placeholder ${name} needs a value`);
    this.#names.set(name, value);
  }

  get(name: string): string {
    const value = this.#names.get(name);
    if (value === undefined) throw new Error(`the placeholder ${name} is not defined`);
    return value;
  }

  /** Defines a placeholder for the text of the first XML element `element` in a response. */
  nameElement(name: string, answer: RawAnswer, element: string): void {
    this.name(name, new RegExp(`<${element}>([^<]+)<`).exec(answer.text())?.[1]);
  }

  request(line: string, given: Given = {}): RawRequest {
    const [method = '', url = ''] = this.fill(line).split(/ (.*)/s);
    const headers = Object.entries(given.headers ?? {}).map(
      ([name, value]) => [name, this.fill(value)] as const,
    );
    const body = typeof given.body === 'string' ? { body: this.fill(given.body) } : {};
    return { ...given, ...body, headers: Object.fromEntries(headers), method, url };
  }

  send(line: string, given: Given = {}): Promise<RawAnswer> {
    return this.bench.send(this.dialect, this.request(line, given));
  }

  /**
   * Sends a request and returns its response without the common headers. Throws an error if a
   * common header is missing.
   */
  async ask(line: string, given: Given = {}): Promise<Shown> {
    return this.show(line, await this.send(line, given));
  }

  show(line: string, answer: RawAnswer): Shown {
    const headers = this.#ownHeaders(answer);
    const isXml = headers['content-type'] === 'application/xml' && !line.startsWith('HEAD ');
    if (isXml) {
      expect(headers['content-length']).toBe(String(answer.body.byteLength));
      delete headers['content-length'];
    }
    const text = answer.text();
    return {
      status: answer.status,
      headers,
      body: isXml ? this.#unfill(withoutDeclaration(text)) : text,
    };
  }

  /**
   * Sends a request that must fail and returns the error. Also checks that the bucket did not
   * change.
   */
  async refusal(line: string, given: Given = {}): Promise<Refusal> {
    const before = await this.content();
    const last = this.bench.lastCommit();
    const answer = await this.send(line, given);
    if (this.bench.lastCommit() !== last) expect(await this.content()).toEqual(before);
    const request = this.request(line, given);
    if (request.method === 'HEAD') {
      expect([answer.text(), answer.header('content-type')]).toEqual(['', 'application/xml']);
      return { status: answer.status };
    }
    return { status: answer.status, ...this.#error(request, answer) };
  }

  /**
   * Defines one test for each row. `setUp` creates the objects that the requests need. If neither a
   * request nor its error contains a vendor header or parameter, both dialects have the same bytes
   * and the row runs in only one of them.
   */
  refuses(rows: readonly RefusalRow[], setUp?: () => Promise<void>): void {
    const isFirst = this.dialect === dialects.amz;
    const chosen = rows.filter((row) => isFirst || JSON.stringify(row).includes('x-*-'));
    const titled = chosen.map((row) => [shortened(row[1]), row[0], row] as const);
    test.each(titled)('%s is refused: %s', async (_, __, [, line, given, expected]) => {
      await setUp?.();
      expect(await this.refusal(line, given)).toEqual(expected);
    });
  }

  /** Replaces the placeholders in a text with their values. */
  fill(text: string): string {
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => this.#names.get(name) ?? whole);
  }

  #unfill(text: string): string {
    const byLength = [...this.#names].sort(([, a], [, b]) => b.length - a.length);
    return byLength.reduce((filled, [name, value]) => filled.replaceAll(value, `{${name}}`), text);
  }

  /** Returns a header name with the prefix of this dialect. */
  spelt(name: string): string {
    return name.replace(/^x-\*-/, this.dialect.headerPrefix);
  }

  /** Checks the headers that every response has, and returns the other headers. */
  #ownHeaders({ headers }: RawAnswer): Record<string, string> {
    const { headerPrefix } = this.dialect;
    const shown: Record<string, string> = {};
    for (const [name, value] of headers) {
      const returned = name.replace(headerPrefix, 'x-*-');
      expect(shown).not.toHaveProperty([returned]);
      shown[returned] = this.#unfill(value);
    }
    expect(shown).toMatchObject({
      'x-*-request-id': expect.stringMatching(/^tx[0-9a-f]+$/) as string,
      date: formatHttpDate(this.bench.clock.now()),
    });
    expect(Object.keys(shown).join()).not.toMatch(/x-(amz|svc)-/);
    for (const name of ['x-*-request-id', 'date', 'connection', 'keep-alive']) delete shown[name];
    return shown;
  }

  #error({ url }: RawRequest, answer: RawAnswer): Readonly<Record<string, string>> {
    const { name, content } = parseXml(answer.text());
    if (name !== 'Error' || typeof content === 'string') throw new Error(answer.text());
    const returned = new Map(content.map((each) => [each.name, leafText(each)]));
    expect(content).toHaveLength(returned.size);
    expect([...returned.keys()].slice(0, 2)).toEqual(['Code', 'Message']);
    expect([...returned.keys()].slice(-2)).toEqual(['RequestId', 'HostId']);
    expect(returned.get('Message')).not.toBe('');
    expect(returned.get('RequestId')).toBe(answer.header(`${this.dialect.headerPrefix}request-id`));
    const { bucket, key } = targetOf(url);
    const target = [['BucketName', bucket] as const, ['Key', key] as const];
    for (const [each, value] of target) {
      if (value !== undefined) expect([...returned.keys()]).toContain(each);
      if (returned.get(each) === value) returned.delete(each);
    }
    return Object.fromEntries(
      [...returned]
        .filter(([each]) => !ALWAYS_PRESENT.has(each))
        .map(([each, value]) => [each, this.#unfill(value)]),
    );
  }

  /** Returns the complete state of the test bucket, or undefined if the bucket does not exist. */
  async content(): Promise<unknown> {
    const bucket = this.get('box');
    const { store } = this;
    const { versions } = await store.listVersions({ bucket });
    const { uploads } = await store.listUploads({ bucket });
    const parts = await Promise.all(
      uploads.map(({ key, uploadId }) => store.listParts({ bucket, key, uploadId })),
    );
    const objects = versions.filter(({ kind }) => kind === 'version');
    const heads = await Promise.all(
      // HEAD of an encrypted object fails without its customer key. In the state, the error then
      // represents the object.
      objects.map(({ key, versionId }) =>
        store.headObject({ bucket, key, versionId }).catch(String),
      ),
    );
    const versioning = await store.getVersioning({ bucket });
    const locks = await store.getObjectLockConfiguration({ bucket }).catch(String);
    const objectTags = await Promise.all(
      objects.map(({ key, versionId }) => store.getObjectTags({ bucket, key, versionId })),
    );
    const tags = await store.getBucketTags({ bucket }).catch(String);
    const [cors, website, lifecycle] = await Promise.all([
      store.getCors({ bucket }).catch(String),
      store.getWebsite({ bucket }).catch(String),
      store.getLifecycle({ bucket }).catch(String),
    ]);
    const lists = await Promise.all([
      store.getBucketAcl({ bucket }),
      ...objects.map(({ key, versionId }) =>
        store.getObjectAcl({ bucket, key, versionId }).catch(String),
      ),
    ]);
    const access = await Promise.all([
      store.getBucketPolicy({ bucket }).catch(String),
      store.getPublicAccessBlock({ bucket }).catch(String),
    ]);
    const configuration = { versioning, locks, tags, cors, website, lifecycle, access };
    return { versions, heads, uploads, parts, objectTags, lists, configuration };
  }
}

function leafText({ name, content }: XmlElement): string {
  if (typeof content !== 'string') throw new Error(`${name} does not contain text`);
  return content;
}

function withoutDeclaration(xml: string): string {
  expect(xml.slice(0, DECLARATION.length)).toBe(DECLARATION);
  return xml.slice(DECLARATION.length);
}

/**
 * Returns the bucket and the key that a URL contains. For an invalid URL it returns neither,
 * because the error response contains neither.
 */
function targetOf(url: string): { readonly bucket?: string; readonly key?: string } {
  try {
    return parsePath(url.split('?')[0] ?? '');
  } catch {
    return {};
  }
}

function shortened(line: string): string {
  return line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
}

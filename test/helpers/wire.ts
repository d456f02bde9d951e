/**
 * Requests and answers of one operation as text, in both dialects. What differs from run to run has a name in
 * braces, in what is sent as in what is shown: `{box}` is the test's own bucket, and a test may name more.
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

/** What a request has beside its line. */
export type Given = Omit<RawRequest, 'method' | 'url'>;

/** An answer without what every answer has; vendor headers are spelt `x-*-`. */
export interface Shown {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** XML without its declaration, or the object's bytes as UTF-8. */
  readonly body: string;
}

/** An error: its status, its code, and what else its document tells; the target only where it is another one. */
export type Refusal = Readonly<Record<string, number | string>>;

/** A claim, the request that it is about, and the answer. */
export type RefusalRow = readonly [claim: string, line: string, given: Given, refusal: Refusal];

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
/** Told of every error, and checked here. */
const ALWAYS_TOLD = new Set(['Message', 'RequestId', 'HostId']);

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

  /** The engine, past the gateway. */
  get store(): ObjectStore {
    return this.bench.store;
  }

  /** Forgets all names and makes `{box}` anew: every test begins with an empty bucket. */
  async box(options: { readonly objectLockEnabled?: boolean } = {}): Promise<void> {
    this.#names = new Map([['box', await this.bench.bucket(options)]]);
  }

  async versioning(versioning: 'Enabled' | 'Suspended'): Promise<void> {
    await this.store.putVersioning({ bucket: this.get('box'), versioning });
  }

  /** Stores an object past the gateway; its version is `{name}` from then on, when a name is given. */
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

  /** `{name}` stands for this value from now on. */
  name(name: string, value: string | undefined): void {
    if (!value) throw new Error(`there is nothing to be named ${name}`);
    this.#names.set(name, value);
  }

  get(name: string): string {
    const value = this.#names.get(name);
    if (value === undefined) throw new Error(`nothing is named ${name}`);
    return value;
  }

  /** Names the text of the answer's first element of that name. */
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

  /** Sends, and shows the answer. Throws when what every answer has is missing. */
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

  /** Sends what must be refused, shows the error, and holds that nothing in the bucket has changed. */
  async refusal(line: string, given: Given = {}): Promise<Refusal> {
    const before = await this.content();
    const answer = await this.send(line, given);
    expect(await this.content()).toEqual(before);
    const request = this.request(line, given);
    if (request.method === 'HEAD') {
      expect([answer.text(), answer.header('content-type')]).toEqual(['', 'application/xml']);
      return { status: answer.status };
    }
    return { status: answer.status, ...this.#error(request, answer) };
  }

  /** One test for each row; `setUp` makes what the rows speak of. */
  refuses(rows: readonly RefusalRow[], setUp?: () => Promise<void>): void {
    test.each(rows)('%s is refused', async (_, line, given, expected) => {
      await setUp?.();
      expect(await this.refusal(line, given)).toEqual(expected);
    });
  }

  /** Puts values in place of their names. */
  fill(text: string): string {
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => this.#names.get(name) ?? whole);
  }

  #unfill(text: string): string {
    const byLength = [...this.#names].sort(([, a], [, b]) => b.length - a.length);
    return byLength.reduce((filled, [name, value]) => filled.replaceAll(value, `{${name}}`), text);
  }

  /** A header's name as this dialect writes it. */
  spelt(name: string): string {
    return name.replace(/^x-\*-/, this.dialect.headerPrefix);
  }

  /** Checks what every answer has, and shows the rest. */
  #ownHeaders({ headers }: RawAnswer): Record<string, string> {
    const { headerPrefix } = this.dialect;
    const shown: Record<string, string> = {};
    for (const [name, value] of headers) {
      const told = name.replace(headerPrefix, 'x-*-');
      expect(shown).not.toHaveProperty([told]);
      shown[told] = this.#unfill(value);
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
    const told = new Map(content.map((each) => [each.name, leafText(each)]));
    expect(content).toHaveLength(told.size);
    expect([...told.keys()].slice(0, 2)).toEqual(['Code', 'Message']);
    expect([...told.keys()].slice(-2)).toEqual(['RequestId', 'HostId']);
    expect(told.get('Message')).not.toBe('');
    expect(told.get('RequestId')).toBe(answer.header(`${this.dialect.headerPrefix}request-id`));
    const { bucket, key } = targetOf(url);
    const target = [['BucketName', bucket] as const, ['Key', key] as const];
    for (const [each, value] of target) {
      if (value !== undefined) expect([...told.keys()]).toContain(each);
      if (told.get(each) === value) told.delete(each);
    }
    return Object.fromEntries(
      [...told]
        .filter(([each]) => !ALWAYS_TOLD.has(each))
        .map(([each, value]) => [each, this.#unfill(value)]),
    );
  }

  /** All that is in the bucket, where there is one. */
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
      // What is encrypted shows its head to nobody without its key.
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
  if (typeof content !== 'string') throw new Error(`${name} is no text`);
  return content;
}

function withoutDeclaration(xml: string): string {
  expect(xml.slice(0, DECLARATION.length)).toBe(DECLARATION);
  return xml.slice(DECLARATION.length);
}

/** Undefined where the URL cannot be read: then the error cannot name it either. */
function targetOf(url: string): { readonly bucket?: string; readonly key?: string } {
  try {
    return parsePath(url.split('?')[0] ?? '');
  } catch {
    return {};
  }
}

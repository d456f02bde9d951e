/** Runs the aws command line for the checks, and parses its output. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Lane } from '../lane.ts';
import type { Service } from '../service.ts';

export function awsEnvironment(service: Service, folder: string): NodeJS.ProcessEnv {
  return {
    AWS_ACCESS_KEY_ID: service.accessKeyId,
    AWS_SECRET_ACCESS_KEY: service.secretAccessKey,
    AWS_DEFAULT_REGION: service.region,
    AWS_ENDPOINT_URL: service.endpoint,
    AWS_CONFIG_FILE: join(folder, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_PAGER: '',
    // Disables retries, because a retry could hide a failed request.
    AWS_MAX_ATTEMPTS: '1',
    ...(service.caFile !== undefined && { AWS_CA_BUNDLE: service.caFile }),
  };
}

/**
 * Options of an aws call: `{ partNumber: 2 }` becomes `--part-number 2`. The value `true` stands
 * for an option without a value, a list for several words, and an object for JSON.
 */
export type Options = Readonly<Record<string, string | number | true | readonly string[] | object>>;

export interface ObjectOptions extends Options {
  readonly bucket: string;
  readonly key: string;
}

export class Aws {
  readonly lane: Lane;

  constructor(lane: Lane) {
    this.lane = lane;
  }

  /**
   * Returns true if aws is of the newer generation. That generation has the major version 1: version 1.45 is years
   * newer than Debian's 2.9.
   */
  get isNewer(): boolean {
    return this.lane.tool.version.startsWith('1.');
  }

  /** Runs `aws s3 …` and returns its output. */
  async s3(...args: string[]): Promise<string> {
    return (await this.s3Bytes(...args)).toString();
  }

  s3Bytes(...args: string[]): Promise<Buffer> {
    return this.lane.run(this.lane.tool.path, this.#line('s3', args));
  }

  async s3From(input: Uint8Array, ...args: string[]): Promise<void> {
    await this.lane.run(this.lane.tool.path, this.#line('s3', args), { input });
  }

  /** Runs an `aws s3 …` command that must fail with this error code. */
  async s3Refused(code: string, ...args: string[]): Promise<void> {
    this.#expect(code, await this.lane.fails(this.lane.tool.path, this.#line('s3', args)));
  }

  /**
   * Runs `aws s3api …` and returns its parsed output. Returns an empty object if the command prints
   * nothing.
   */
  async api<T = Record<string, unknown>>(operation: string, options: Options = {}): Promise<T> {
    const said = await this.lane.run(this.lane.tool.path, this.#call(operation, options));
    return (said.length === 0 ? {} : JSON.parse(said.toString())) as T;
  }

  /**
   * Runs `aws eks …` with the cluster service and returns its parsed output. Returns an empty
   * object if the command prints nothing.
   */
  async eks<T = Record<string, unknown>>(operation: string, options: Options = {}): Promise<T> {
    const said = await this.lane.run(this.lane.tool.path, this.#eksLine(operation, options));
    return (said.length === 0 ? {} : JSON.parse(said.toString())) as T;
  }

  async eksRefused(code: string, operation: string, options: Options): Promise<void> {
    const line = this.#eksLine(operation, options);
    this.#expect(code, await this.lane.fails(this.lane.tool.path, line));
  }

  /** Runs a waiter, such as `aws eks wait nodegroup-active`. */
  async eksWait(what: string, options: Options): Promise<void> {
    const [service, waiter] = ['wait', what];
    const words = this.#eksLine(service, options);
    words.splice(words.indexOf(service) + 1, 0, waiter);
    await this.lane.run(this.lane.tool.path, words);
  }

  #eksLine(operation: string, options: Options): string[] {
    const { clusters } = this.lane.service;
    assert(clusters !== undefined, 'there is a daemon that serves clusters');
    const args = [operation, ...Object.entries(options).flatMap(words)];
    return ['--endpoint-url', clusters, '--output', 'json', 'eks', ...args];
  }

  /** Runs `aws s3api get-object` and returns the content of the object. */
  async read(options: ObjectOptions): Promise<Buffer> {
    await this.api('get-object', options);
    return readFileSync(this.#download);
  }

  /** Runs an `aws s3api` call that must fail with this error code. */
  async refused(code: string, operation: string, options: Options): Promise<void> {
    const line = this.#call(operation, options);
    this.#expect(code, await this.lane.fails(this.lane.tool.path, line));
  }

  /**
   * Runs an `aws s3api` call with other environment variables. If `code` is set, the call must fail
   * with that error code, and otherwise it must succeed.
   */
  async apiAs(
    environment: Readonly<Record<string, string>>,
    code: string | undefined,
    ...[operation, options]: [string, Options]
  ): Promise<void> {
    const changes = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const line = [...changes, this.lane.tool.path, ...this.#call(operation, options)];
    if (code === undefined) await this.lane.run('env', line);
    else this.#expect(code, await this.lane.fails('env', line));
  }

  /**
   * Runs an `aws s3api` call with the access key of the guest. If `code` is set, the call must fail
   * with that error code, and otherwise it must succeed.
   */
  async byGuest(code: string | undefined, ...call: [string, Options]): Promise<void> {
    const { accessKeyId, secretAccessKey } = this.lane.guest;
    const key = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
    await this.apiAs(key, code, ...call);
  }

  get #download(): string {
    return this.lane.path('read');
  }

  #call(operation: string, options: Options): string[] {
    const file = operation === 'get-object' ? [this.#download] : [];
    return this.#line('s3api', [operation, ...Object.entries(options).flatMap(words), ...file]);
  }

  #line(service: string, args: readonly string[]): string[] {
    return ['--endpoint-url', this.lane.service.endpoint, '--output', 'json', service, ...args];
  }

  #expect(code: string, said: string): void {
    assert.ok(said.includes(`(${code})`), `expected the error code ${code}`);
  }
}

function words([name, value]: [string, Options[string]]): string[] {
  const option = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === true) return [option];
  if (Array.isArray(value)) return [option, ...(value as string[])];
  return [option, typeof value === 'object' ? JSON.stringify(value) : String(value)];
}

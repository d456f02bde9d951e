/** Runs the checks of one client over HTTP or HTTPS, and collects the results. */

import assert, { AssertionError } from 'node:assert';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { runCommand } from './command.ts';
import type { Outcome } from './command.ts';
import type { Guest, Service } from './service.ts';
import type { Tool } from './tools.ts';

export interface Finding {
  readonly client: string;
  readonly transport: string;
  readonly claim: string;
  readonly result: 'ok' | 'failed' | 'skipped';
  readonly seconds: number;
  /**
   * Reason why the check was skipped. For a failed check, the error and all commands with their
   * output.
   */
  readonly detail?: string;
}

export interface LaneOptions {
  readonly tool: Tool;
  readonly service: Service;
  /** Path of a folder that no other client and transport uses. */
  readonly folder: string;
  /** Environment variables for the client, in addition to those of the computer. */
  readonly env: NodeJS.ProcessEnv;
  readonly onFinding: (finding: Finding) => void;
  /** Signal whose abort prevents the start of further checks. */
  readonly signal: AbortSignal;
}

interface RunOptions {
  readonly input?: Uint8Array;
  readonly cwd?: string;
}

/**
 * Maximum number of characters that are shown of a command's output, because a failing tool often
 * repeats its output.
 */
const SHOWN_CHARACTERS = 2_000;

export class Lane {
  readonly tool: Tool;
  readonly service: Service;
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #onFinding: LaneOptions['onFinding'];
  readonly #signal: AbortSignal;
  #transcript: Outcome[] = [];

  constructor({ tool, service, folder, env, onFinding, signal }: LaneOptions) {
    mkdirSync(folder, { recursive: true });
    this.tool = tool;
    this.service = service;
    this.folder = folder;
    this.#env = { ...inheritedEnvironment(), ...env };
    this.#onFinding = onFinding;
    this.#signal = signal;
  }

  /**
   * Runs all checks of a client. An error outside of a check ends them, and counts as another
   * failed check.
   */
  async goThrough(checks: (lane: Lane) => Promise<void>): Promise<void> {
    try {
      await checks(this);
    } catch (failure) {
      if (this.#signal.aborted) return;
      const detail = this.#explain(failure);
      this.#found({
        claim: 'no error occurs outside the checks',
        result: 'failed',
        seconds: 0,
        detail,
      });
    }
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** Returns a bucket name that no other client and transport uses. */
  bucketName(name: string): string {
    return `${this.tool.title.replaceAll(/[ .]/g, '-')}-${this.service.transport}-${name}`;
  }

  get guest(): Guest {
    const { guest } = this.service;
    assert(guest !== undefined, 'there is a daemon that knows a guest');
    return guest;
  }

  /**
   * Runs one check and returns whether it passed. If `body` throws an error, the check has failed,
   * and later checks still run.
   */
  async check(claim: string, body: () => Promise<void>): Promise<boolean> {
    this.#signal.throwIfAborted();
    this.#transcript = [];
    const startedAt = performance.now();
    const failure = await body().then(
      () => undefined,
      (error: unknown) => error,
    );
    this.#signal.throwIfAborted();
    const seconds = (performance.now() - startedAt) / 1000;
    if (failure === undefined) this.#found({ claim, result: 'ok', seconds });
    else this.#found({ claim, result: 'failed', seconds, detail: this.#explain(failure) });
    return failure === undefined;
  }

  skip(claim: string, reason: string): void {
    this.#found({ claim, result: 'skipped', seconds: 0, detail: reason });
  }

  /** Runs a command and returns its standard output. Throws an error if the command fails. */
  async run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Buffer> {
    const outcome = await this.#run(command, args, options);
    if (outcome.code !== 0) throw new Error(`expected exit code 0, got ${outcome.code}`);
    return outcome.stdout;
  }

  /** Runs a command that must fail, and returns its output. */
  async fails(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
    const outcome = await this.#run(command, args, options);
    if (outcome.code === 0) throw new Error('expected a failure, but the command succeeded');
    return outcome.stdout.toString() + outcome.stderr;
  }

  async #run(command: string, args: readonly string[], options: RunOptions): Promise<Outcome> {
    const settings = { env: this.#env, signal: this.#signal, ...options };
    const outcome = await runCommand(command, args, settings);
    this.#transcript.push(outcome);
    return outcome;
  }

  #found(finding: Omit<Finding, 'client' | 'transport'>): void {
    const { tool, service } = this;
    this.#onFinding({ client: tool.title, transport: service.transport, ...finding });
  }

  #explain(failure: unknown): string {
    const reason = failure instanceof Error ? failure.message : String(failure);
    const place =
      failure instanceof AssertionError
        ? (failure.stack?.match(/^ +at .*clients.*$/m)?.[0] ?? '')
        : '';
    return [reason, place, ...this.#transcript.map(outcomeText)]
      .filter((each) => each !== '')
      .join('\n');
  }
}

function outcomeText({ line, code, stdout, stderr }: Outcome): string {
  const said = [stdout.toString(), stderr]
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => (text.length > SHOWN_CHARACTERS ? `…${text.slice(-SHOWN_CHARACTERS)}` : text));
  return [`$ ${line}`, ...said, `(exit code ${code})`].join('\n');
}

/**
 * Returns the environment variables for all clients. HOME is unchanged, because tools may be
 * installed in the home folder. The settings of clients are removed, and each client gets its own
 * folder for settings.
 */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(?:AWS_|RCLONE_|RESTIC_|CURL_|SSL_CERT_|BOTO_|REQUESTS_CA_|S3|.*_proxy$)/i;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C.UTF-8', TZ: 'UTC' };
}

/** Runs and times programs that copy a folder to a bucket on the sink server: Holdfast, rclone and the AWS CLI. */

import { randomFillSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { V8_FLAGS } from '../../src/cli/node-options.ts';
import type { AccessKey } from '../../src/identity/identity.ts';
import { inheritedEnvironment } from '../clients/lane.ts';
import { type CommandRun, timeCommand } from './processes.ts';

const FILES_A_FOLDER = 100;
export const CLI = join(import.meta.dirname, '../../dist/src/cli/main.js');

export interface MirrorSize {
  readonly files: number;
  readonly fileBytes: number;
}

export interface Place {
  readonly endpoint: string;
  readonly bucket: string;
  /** The access key for the service. Absent for the sink server, because it accepts any access key. */
  readonly key?: Pick<AccessKey, 'accessKeyId' | 'secretAccessKey'>;
}

const ANY_KEY = { accessKeyId: 'bench', secretAccessKey: 'bench-secret' };

export function makeTree(tree: string, size: MirrorSize): void {
  writeTree(tree, size, (index) => `${index} `.padEnd(size.fileBytes, 'x'));
}

/** Creates a tree like `makeTree`, but with random bytes, so that no program can compress or deduplicate them. */
export function makeRandomTree(tree: string, size: MirrorSize): void {
  const bytes = Buffer.alloc(size.fileBytes);
  writeTree(tree, size, () => randomFillSync(bytes));
}

function writeTree(
  tree: string,
  { files }: MirrorSize,
  contentOf: (index: number) => string | Uint8Array,
): void {
  for (let index = 0; index < files; index += 1) {
    const folder = join(tree, `folder-${Math.floor(index / FILES_A_FOLDER)}`);
    if (index % FILES_A_FOLDER === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${index}.txt`), contentOf(index));
  }
}

/** Runs a backup with Holdfast. `tracer` is a command that runs the program and traces it. */
export function holdfast(
  tree: string,
  home: string,
  { endpoint, bucket, key }: Place,
  tracer: readonly string[] = [],
): CommandRun {
  const to = ['--home', home, '--to', endpoint, '--bucket', bucket];
  const program = [process.execPath, ...V8_FLAGS, CLI];
  const [command = '', ...args] = [...tracer, ...program, 'up', tree, '--once', ...to];
  return required(timeCommand(command, args, environment(key)));
}

/** Restores a bucket with `holdfast restore --from`, which needs no job. */
export function holdfastRestore({ endpoint, bucket, key }: Place, to: string): CommandRun {
  const from = ['--from', `${endpoint}/${bucket}`, '--to', to];
  const args = [...V8_FLAGS, CLI, 'restore', ...from];
  return required(timeCommand(process.execPath, args, environment(key)));
}

export function rclone(tree: string, place: Place, transfers: number = 32): CommandRun {
  return rcloneCopy([tree, `sink:${place.bucket}`], place, transfers);
}

export function rcloneRestore(place: Place, to: string, transfers: number): CommandRun {
  return rcloneCopy([`sink:${place.bucket}`, to], place, transfers);
}

function rcloneCopy(
  fromTo: readonly string[],
  { endpoint, key = ANY_KEY }: Place,
  transfers: number,
): CommandRun {
  const remote = {
    RCLONE_CONFIG: '/dev/null',
    RCLONE_CONFIG_SINK_TYPE: 's3',
    RCLONE_CONFIG_SINK_PROVIDER: 'Other',
    RCLONE_CONFIG_SINK_ACCESS_KEY_ID: key.accessKeyId,
    RCLONE_CONFIG_SINK_SECRET_ACCESS_KEY: key.secretAccessKey,
    RCLONE_CONFIG_SINK_ENDPOINT: endpoint,
  };
  const number = String(transfers);
  const args = ['copy', ...fromTo, '--transfers', number, '--checkers', number, '--fast-list'];
  return required(timeCommand('rclone', args, { ...environment(), ...remote }));
}

/** Runs `aws s3 sync`. Returns undefined if the AWS CLI is not installed. */
export function awsSync(tree: string, { endpoint, bucket }: Place): CommandRun | undefined {
  const args = ['s3', 'sync', tree, `s3://${bucket}`, '--only-show-errors'];
  return timeCommand('aws', args, {
    ...inheritedEnvironment(),
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    AWS_DEFAULT_REGION: 'us-east-1',
  });
}

const environment = (key: Place['key'] = ANY_KEY): NodeJS.ProcessEnv => ({
  ...inheritedEnvironment(),
  HOLDFAST_TARGET_ACCESS_KEY_ID: key.accessKeyId,
  HOLDFAST_TARGET_SECRET_ACCESS_KEY: key.secretAccessKey,
});

export function required(run: CommandRun | undefined): CommandRun {
  if (!run) throw new Error('run bench: GNU time is missing; install the package `time`');
  return run;
}

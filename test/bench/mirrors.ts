/** Runs and times programs that mirror a folder to a bucket of the sink server: Holdfast, rclone and the AWS CLI. */

import { randomFillSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { V8_FLAGS } from '../../src/cli/v8-flags.ts';
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
}

export function makeTree(tree: string, size: MirrorSize): void {
  writeTree(tree, size, (index) => `${index} `.padEnd(size.fileBytes, 'x'));
}

/** Makes a tree as `makeTree` does, of random bytes, which no program can compress or store only once. */
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

/** `tracer`: a command that runs the program and traces it. */
export function holdfast(
  tree: string,
  home: string,
  { endpoint, bucket }: Place,
  tracer: readonly string[] = [],
): CommandRun {
  const to = ['--home', home, '--to', endpoint, '--bucket', bucket];
  const program = [process.execPath, ...V8_FLAGS, CLI];
  const [command = '', ...args] = [...tracer, ...program, 'up', tree, '--once', ...to];
  return required(timeCommand(command, args, environment()));
}

export function rclone(
  tree: string,
  { endpoint, bucket }: Place,
  transfers: number = 32,
): CommandRun {
  const remote = {
    RCLONE_CONFIG: '/dev/null',
    RCLONE_CONFIG_SINK_TYPE: 's3',
    RCLONE_CONFIG_SINK_PROVIDER: 'Other',
    RCLONE_CONFIG_SINK_ACCESS_KEY_ID: 'bench',
    RCLONE_CONFIG_SINK_SECRET_ACCESS_KEY: 'bench',
    RCLONE_CONFIG_SINK_ENDPOINT: endpoint,
  };
  const args = [
    'copy',
    tree,
    `sink:${bucket}`,
    '--transfers',
    String(transfers),
    '--checkers',
    String(transfers),
    '--fast-list',
  ];
  return required(timeCommand('rclone', args, { ...environment(), ...remote }));
}

/** Runs `aws s3 sync`. Returns undefined if it is not installed. */
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

const environment = (): NodeJS.ProcessEnv => ({
  ...inheritedEnvironment(),
  HOLDFAST_TARGET_ACCESS_KEY_ID: 'bench',
  HOLDFAST_TARGET_SECRET_ACCESS_KEY: 'bench-secret',
});

export function required(run: CommandRun | undefined): CommandRun {
  if (!run) throw new Error('run bench: GNU time is missing; install the package `time`');
  return run;
}

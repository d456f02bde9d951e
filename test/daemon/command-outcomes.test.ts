/**
 * Runs every command against a daemon in three cases: a name in its arguments does not exist, there
 * is nothing to do, and the command succeeds. The tables in test/helpers/outcomes run from top to
 * bottom. A block begins with `# COMMAND`. Its rows are `! LINE => CODE TEXT` for an unknown name,
 * `= …` for nothing to do, and `+ …` for success. The row `! - REASON` explains why a case cannot
 * occur. A command that can ask for confirmation gets `--yes`. All rows run twice: once without and
 * once with `--json`.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type RunningDaemon, startDaemon } from '../../daemon/main.ts';
import { systemClock } from '../../src/base/clock.ts';
import { destructionOf } from '../../src/cli/declare.ts';
import { resolveHome } from '../../src/config/home.ts';
import { declaredProgram } from '../helpers/declared-program.ts';
import { JOBS } from '../helpers/outcomes/jobs.ts';
import { MACHINE } from '../helpers/outcomes/machine.ts';
import { OBJECTS } from '../helpers/outcomes/objects.ts';
import { type CliResult, documentsOf, jsonOf, runCli } from '../helpers/run-cli.ts';

const POLICY = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::box/*' },
  ],
};
const filesOf = (folder: string): Readonly<Record<string, string>> => ({
  'notes/plan.md': 'one',
  'notes/once.md': 'once',
  'safe/a.md': 'a',
  'f.txt': 'hello',
  'policy.json': JSON.stringify(POLICY),
  'cors.json': '{"CORSRules":[{"AllowedOrigins":["*"],"AllowedMethods":["GET"]}]}',
  'rules.json':
    '{"Rules":[{"ID":"old","Status":"Enabled","Filter":{"Prefix":"t/"},"Expiration":{"Days":30}}]}',
  'home/config.yaml': `storage: {port: 0}
clusters: {seconds: {createCluster: 0, deleteCluster: 0, createNodegroup: 0, deleteNodegroup: 0, batch: 0}}
jobs:
  - {name: notes, bucket: notes, folder: ${folder}/notes}
  - {name: safe, bucket: safe, folder: ${folder}/safe, lock: {mode: GOVERNANCE, days: 30}}
  - {name: blank, bucket: blank, folder: ${folder}/blank}
`,
});

/** A daemon with jobs, and a function that runs a command line in the daemon's home. */
interface World {
  readonly folder: string;
  readonly daemon: RunningDaemon;
  readonly run: (line: string) => Promise<CliResult>;
}

async function openWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'command-outcomes-'));
  const home = join(folder, 'home');
  for (const name of ['notes', 'safe', 'blank', 'fourth', 'home'])
    mkdirSync(join(folder, name), { mode: 0o700 });
  for (const [path, text] of Object.entries(filesOf(folder)))
    writeFileSync(join(folder, path), text, { mode: 0o600 });
  const daemon = await startDaemon({ home: resolveHome({ homeFlag: home, env: {}, cwd: '/' }) });
  let [endpoint, keys] = ['', {}];
  const run = (line: string) => {
    const words = line.replace('$URL', endpoint).match(/'[^']*'|\S+/g) ?? [];
    const argv = words.map((word) => word.replaceAll("'", ''));
    return runCli(argv, { env: { HOLDFAST_HOME: home, ...keys }, cwd: folder, clock: systemClock });
  };
  const answer = await run('admin credentials --json --show-secret');
  const { endpointUrl, accessKeyId, secretAccessKey } = jsonOf(answer.stdout) as Record<
    string,
    string
  >;
  endpoint = endpointUrl ?? '';
  keys = {
    HOLDFAST_TARGET_ACCESS_KEY_ID: accessKeyId ?? '',
    HOLDFAST_TARGET_SECRET_ACCESS_KEY: secretAccessKey ?? '',
  };
  expect(await run('wait')).toMatchObject({ exitCode: 0 });
  // A job is not reported as protected before its first restore test.
  expect(await run('test')).toMatchObject({ exitCode: 0 });
  return { folder, daemon, run };
}

async function close({ folder, daemon }: World): Promise<void> {
  await daemon.stop('the test is over');
  rmSync(folder, { recursive: true });
}

interface Row {
  readonly mark: string;
  /**
   * Command line to run. Undefined if the case (unknown name, nothing to do, or success) cannot
   * occur for the command.
   */
  readonly line?: string;
  readonly code: string;
  readonly text: string;
}

interface Block {
  readonly command: string;
  readonly rows: readonly Row[];
}

function blocksOf(table: string): Block[] {
  return table
    .split('# ')
    .slice(1)
    .map((block) => {
      const [command = '', ...rows] = block.trimEnd().split('\n');
      return { command, rows: rows.map(rowOf) };
    });
}

function rowOf(text: string): Row {
  const reason = /^([!=+]) - \S/.exec(text);
  if (reason) return { mark: reason[1] ?? '', code: '', text: '' };
  const parts = /^([!=+]) (.+?) => ([0-3*]) (.+)$/.exec(text);
  if (!parts) throw new Error(`read row of the table: ${text}`);
  const [, mark = '', line = '', code = '', said = ''] = parts;
  return { mark, line, code, text: said };
}

const BLOCKS = [...blocksOf(JOBS), ...blocksOf(OBJECTS), ...blocksOf(MACHINE)];

/** Returns all commands that can be run, with their full names. */
function commandsOf(command: Command, names: readonly string[] = []): [string, Command][] {
  const below = command.commands.flatMap((each) => commandsOf(each, [...names, each.name()]));
  // A command group without an action only lists its commands.
  const isRun = '_actionHandler' in command && command._actionHandler !== null;
  return isRun && names.length > 0 ? [[names.join(' '), command], ...below] : below;
}

const COMMANDS = new Map(commandsOf(await declaredProgram()));

it('the outcome table has each command once, with all three cases: unknown name, nothing to do, success', () => {
  expect(BLOCKS.map(({ command }) => command).toSorted()).toEqual([...COMMANDS.keys()].toSorted());
  for (const { command, rows } of BLOCKS) {
    expect([command, [...new Set(rows.map(({ mark }) => mark))].toSorted()]).toEqual([
      command,
      ['!', '+', '='],
    ]);
    for (const { line } of rows) expect(line ?? command).toMatch(new RegExp(`^${command}`));
  }
});

/**
 * Returns the command lines of a block that can be run. If a command can ask for confirmation, its
 * line gets `--yes`.
 */
function linesOf({ command, rows }: Block) {
  const declared = COMMANDS.get(command);
  const isAsking = declared !== undefined && destructionOf(declared) !== undefined;
  return rows.flatMap(({ line, ...row }) =>
    line === undefined ? [] : [{ ...row, line: isAsking ? `${line} --yes` : line }],
  );
}

describe('the commands of the outcome table', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => close(world));

  it.each(BLOCKS)(
    '`$command` exits with the expected code for an unknown name, for nothing to do, and for success',
    async (block) => {
      for (const { mark, line, code, text } of linesOf(block)) {
        const { exitCode, stdout, stderr } = await world.run(line);
        const outcome = { line, code: code === '*' ? code : `${exitCode}`, said: stdout + stderr };
        expect(outcome).toEqual({ line, code, said: expect.stringContaining(text) as string });
        // An error about an unknown name must suggest what to do next.
        const isHinted = stderr.trimEnd().split('\n').length > 1;
        if (mark === '!')
          expect({ line, stderr, isHinted }).toEqual({ line, stderr, isHinted: true });
      }
    },
  );
});

describe('the commands of the outcome table with --json', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => close(world));

  it.each(BLOCKS)(
    '`$command` with --json prints events, and then exactly one result or error',
    async (block) => {
      for (const { line, code } of linesOf(block)) {
        const { exitCode, stdout, stderr } = await world.run(`${line} --json`);
        const members = documentsOf(stdout).map((each) => Object.keys(each).join());
        const last = members.pop();
        const others = [...new Set(members)].filter((member) => member !== 'event');
        const isDone = code === '0' || code === '3';
        expect({ line, code: code === '*' ? code : `${exitCode}`, others, stderr, last }).toEqual({
          line,
          code,
          others: [],
          stderr: '',
          last: expect.stringMatching(isDone ? /^result$/ : /^(?:result|error)$/) as string,
        });
      }
    },
  );
});

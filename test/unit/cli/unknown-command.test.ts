/** Tests of the suggestions for unknown commands, which are never destructive. */

import { expect, it } from 'vitest';

import { WORDS_OF_OTHER_TOOLS } from '../../../src/cli/unknown-command.ts';
import { mistakeIn } from '../../docs/command-tree.ts';
import { ownCommands } from '../../docs/shell-commands.ts';
import { runCli } from '../../helpers/run-cli.ts';

it.each([
  [['help'], 'Usage: holdfast [options] [command]'],
  [['help', 'job', 'add'], 'Usage: holdfast job add [options] <folder>'],
  [['job', 'help'], 'Usage: holdfast job [options] [command]'],
])('the command line prints the help for holdfast %j', async (argv, said) => {
  const { exitCode, stdout, stderr } = await runCli(argv);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain(said);
});

it('the command line prints the same version for holdfast version and holdfast --version', async () => {
  const { stdout } = await runCli(['--version']);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await runCli(['version'])).toEqual({ exitCode: 0, stdout, stderr: '' });
});

it.each(Object.entries(WORDS_OF_OTHER_TOOLS))(
  'the command line suggests existing commands for the command %s of another tool',
  async (word, goals) => {
    const { exitCode, stderr } = await runCli([word]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`unknown command '${word}'`);
    for (const [goal, command] of goals) {
      expect(stderr).toContain(`to ${goal}: ${command}`);
      const [words = []] = ownCommands(command);
      expect(await mistakeIn(words)).toBeUndefined();
    }
  },
);

it.each([
  ['hlep', /Did you mean: holdfast help/],
  ['rn', /holdfast --help lists the commands/],
  ['rm2', /holdfast --help lists the commands/],
  ['lock relese', /holdfast lock --help lists the commands/],
  ['job foregt', /holdfast job --help lists the commands/],
  ['stats', /Did you mean: holdfast status/],
  ['s3 bucket remov', /holdfast s3 bucket --help lists the commands/],
  ['job lst', /Did you mean: holdfast job list/],
  ['admin keys delete', /holdfast admin keys --help lists the commands/],
])(
  'the command line suggests no destructive command for the unknown command %s',
  async (line, said) => {
    const { exitCode, stderr } = await runCli(line.split(' '));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(said);
    expect(stderr).not.toMatch(/Did you mean:.*\b(?:rm|rb|remove|release|forget|delete)\b/);
  },
);

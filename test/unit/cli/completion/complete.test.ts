/** Tests of shell completion and the manual page, which are generated from the declared commands. */

import { execFileSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { COMMAND_GROUPS } from '../../../../src/cli/command-groups.ts';
import { SCRIPTS, SHELLS } from '../../../../src/cli/completion/scripts.ts';
import { runCli, jsonOf } from '../../../helpers/run-cli.ts';
import { temporaryFolder } from '../../../helpers/temporary-folder.ts';

/** Returns an environment with a Holdfast home where no daemon is running. */
const env = () => ({ HOLDFAST_HOME: temporaryFolder('hf-nobody') });

async function offered(...line: readonly string[]): Promise<readonly string[]> {
  const { exitCode, stdout, stderr } = await runCli(['completion', 'line', '--', ...line], {
    env: env(),
  });
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((each) => each.split('\t')[0] ?? '');
}

describe('shell completion', () => {
  it.each<[readonly string[], readonly string[]]>([
    [['s3', 'lifec'], ['lifecycle']],
    [
      ['service', 'st'],
      ['start', 'stop', 'status'],
    ],
    [['service', 'install', '--pr'], ['--print']],
    [['--home', '/x', 'service', 'un'], ['uninstall']],
    [
      ['up', '--protocol', ''],
      ['s3', 'svc'],
    ],
    [
      ['up', '--protocol', '=', 's'],
      ['s3', 'svc'],
    ],
    [['up', ''], [':files']],
    [['up', '--ca-file', ''], [':files']],
    [['up', 'a', ''], []],
    [['lock', 'default', 'remove', '--he'], ['--help']],
    [['no-such-command', ''], []],
    [['job', 'remove', ''], []],
  ])('the shell completion offers for the words %j: %j', async (line, expected) => {
    expect(await offered(...line)).toEqual(expected);
  });

  it('the shell completion offers each command with a one-line description', async () => {
    const all = Object.values(COMMAND_GROUPS).flat();
    expect([...(await offered(''))].toSorted()).toEqual(all.toSorted());
    const { stdout } = await runCli(['completion', 'line', '--', 'status']);
    expect(stdout).toBe('status\tshow what is backed up, and what is not\n');
  });

  it.each(SHELLS)('holdfast completion prints the script for %s', async (shell) => {
    const { stdout } = await runCli(['completion', shell]);
    expect(stdout).toBe(SCRIPTS[shell]);
  });

  it('the completion command refuses an unknown shell and lists the known shells', async () => {
    const { exitCode, stderr } = await runCli(['completion', 'tcsh']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
  });

  it('bash loads the completion script and completes a bucket name', () => {
    const script = `
      holdfast() { printf '%s\\n' 'notes\tbucket' 'photos\tbucket'; asked="$*"; }
      ${SCRIPTS.bash}
      COMP_WORDS=(holdfast s3 ls no); COMP_CWORD=2; _holdfast
      printf '%s,' "\${COMPREPLY[@]}"; complete -p holdfast`;
    const said = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });
    expect(said).toBe('notes,photos,complete -F _holdfast holdfast\n');
  });
});

describe('manual pages', () => {
  const pages = async () => {
    const { stdout } = await runCli(['completion', 'man', '--json']);
    return jsonOf(stdout) as Readonly<Record<string, string>>;
  };

  it('the manual page of holdfast lists every command, and each command has its own page', async () => {
    const { 'holdfast.1': page = '', ...others } = await pages();
    const names = Object.values(COMMAND_GROUPS).flat();
    for (const name of names)
      expect(page).toContain(`\\fBholdfast ${name.replaceAll('-', '\\-')}\\fR`);
    expect(page).toContain('Exit codes: 0 in order');
    expect(Object.keys(others)).toEqual(names.map((name) => `holdfast-${name}.1`));
  });

  it('the manual describes each subcommand by its full name, with options and examples', async () => {
    const { stdout: page } = await runCli(['completion', 'man', 'service']);
    expect(page).toContain('.SH NAME\nholdfast\\-service');
    expect(page).toContain('\\fBholdfast service install\\fR');
    expect(page).toContain('.B \\-\\-from\\-checkout');
    expect(page).toContain('$ holdfast service install \\-\\-print');
  });

  it('the manual pages use only known troff requests', async () => {
    const lines = Object.values(await pages()).flatMap((page) => page.split('\n'));
    const known = /^\.(TH|SH|SS|TP|B|I|BR|PP|RS|RE|nf|fi)( |$)/;
    expect(lines.filter((line) => /^[.']/.test(line) && !known.test(line))).toEqual([]);
  });
});

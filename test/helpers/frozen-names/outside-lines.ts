/**
 * Lists names that Holdfast uses outside its home: environment variables, fields of webhook requests, and lines of
 * service manager files.
 */

import { homedir } from 'node:os';
import { join } from 'node:path';

import { runCli } from '../run-cli.ts';
import { indented, memberNames } from './member-lines.ts';
import type { SampleHome } from './sample-home.ts';

export function environmentLines({ variables, posted }: SampleHome): string[] {
  return [
    'read by commands:',
    ...indented(variables.read),
    '',
    'set for programs of actions, or by `credentials --env`:',
    ...indented(variables.set),
    ...posted.flatMap((body, index) => [
      '',
      `document ${index + 1} of a webhook:`,
      ...indented(memberNames(JSON.parse(body))),
    ]),
  ];
}

const PROGRAM = join(import.meta.dirname, '../../..');
/**
 * Options and environments of `service install`. Each environment sets the folders explicitly,
 * because their defaults depend on the system.
 */
const CHOICES = [
  { options: ['--manager', 'systemd'], env: { XDG_CONFIG_HOME: '/config' } },
  { options: ['--manager', 'launchd'], env: { HOLDFAST_HOME: '/home-of-all' } },
  { options: ['--system', '--manager', 'systemd'], env: {} },
];
/** Matches lines that contain a description or the path of the program. */
const OTHER = /^(?:Description=|Documentation=|Exec)|<program>/;

/**
 * Lists the files that `service install` writes, and those lines of them that contain a name of
 * Holdfast.
 */
export async function serviceLines(): Promise<string[]> {
  const sections = CHOICES.map(async ({ options, env }) => {
    const argv = ['service', 'install', '--print', ...options];
    const { stdout } = await runCli(argv, { env });
    const lines = stdout.replaceAll(PROGRAM, '<program>').replaceAll(homedir(), '~').split('\n');
    const names = lines.filter((line) => /holdfast/i.test(line) && !OTHER.test(line.trim()));
    return ['', argv.join(' ')].concat(names.map((line) => `  ${line.trim()}`));
  });
  return (await Promise.all(sections)).flat();
}

/** Formats the help as a manual page in the format of man(7). */

import type { Command } from 'commander';

import { COMMAND_GROUPS } from '../command-groups.ts';
import { examplesOf } from '../declare.ts';

export interface ManPage {
  readonly version: string;
  /** The examples and exit codes at the end of the program's help. */
  readonly closing: string;
}

export function manPage(program: Command, { version, closing }: ManPage): string {
  const lines = [
    `.TH HOLDFAST 1 "" "holdfast ${version}" "Holdfast"`,
    '.SH NAME',
    `holdfast \\- ${text(lowerFirst(program.description()).replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B holdfast',
    '[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]',
    '.SH DESCRIPTION',
    'A daemon watches folders and stores every change as a new version, in an object store of its own or on any',
    'service that speaks the same protocol. Without a command it shows the dashboard on a terminal, elsewhere the status.',
    '.SH OPTIONS',
    'They go with every command.',
    ...optionLines(program),
    '.SH COMMANDS',
    ...groupLines(program),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.flatMap(([name, what]) => ['.TP', `.B ${name}`, text(what)]),
    '.SH FILES',
    ...FILES.flatMap(([name, what]) => ['.TP', `.I ${text(name)}`, text(what)]),
    '.SH EXAMPLES AND EXIT STATUS',
    ...verbatim(closing.trim().split('\n')),
    '.SH SEE ALSO',
    '.BR systemctl (1),',
    '.BR journalctl (1)',
  ];
  return `${lines.join('\n')}\n`;
}

const ENVIRONMENT = [
  ['HOLDFAST_HOME', 'Everything is below this folder, as with --home.'],
  ['HOLDFAST_TARGET_ACCESS_KEY_ID, HOLDFAST_TARGET_SECRET_ACCESS_KEY', 'Of a remote service.'],
  ['XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_RUNTIME_DIR', 'Where the folders are.'],
  ['NO_COLOR', 'No output has colours.'],
  ['HOLDFAST_NO_PROGRESS', 'No command shows its progress.'],
] as const;

const FILES = [
  ['~/.config/holdfast/config.yaml', 'Jobs, targets and all settings.'],
  ['~/.local/share/holdfast', 'The embedded store, users and keys.'],
  ['~/.local/state/holdfast', 'What jobs remember, and the log.'],
  ['$XDG_RUNTIME_DIR/holdfast/control.sock', 'Where the daemon listens.'],
] as const;

function groupLines({ commands }: Command): string[] {
  return Object.entries(COMMAND_GROUPS).flatMap(([heading, names]) => {
    const own = names.flatMap((name) => commands.filter((each) => each.name() === name));
    const title = [`.SS ${quoted(heading.replace(/:$/, ''))}`];
    return title.concat(own.flatMap((command) => commandLines(command, 'holdfast')));
  });
}

/**
 * Returns the entry of a command, followed by those of its subcommands. Each entry has the full name of its command.
 */
function commandLines(command: Command, above: string): string[] {
  const name = `${above} ${command.name()}`;
  const words = command.registeredArguments.map((argument) => {
    const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  return [
    '.TP',
    `\\fB${text(name)}\\fR ${text(words.join(' '))}`.trimEnd(),
    text(command.description()),
    ...indented(optionLines(command)),
    ...indented(exampleLines(command)),
    ...command.commands.flatMap((each) => commandLines(each, name)),
  ];
}

function optionLines({ options }: Command): string[] {
  return options.flatMap(({ flags, description }) => [
    '.TP',
    `.B ${text(flags)}`,
    text(description),
  ]);
}

function exampleLines(command: Command): string[] {
  return verbatim(examplesOf(command).flatMap((example) => `$ ${example}`.split('\n')));
}

/** Returns the lines in a block that roff does not fill. */
function verbatim(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['.PP', '.nf', ...lines.map(text), '.fi'];
}

function indented(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['.RS', ...lines, '.RE'];
}

/**
 * Escapes text for roff, so that it is not interpreted as requests or escape sequences, and so that its hyphens can be
 * copied.
 */
function text(words: string): string {
  const escaped = words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

function quoted(words: string): string {
  return `"${text(words)}"`;
}

function lowerFirst(words: string): string {
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

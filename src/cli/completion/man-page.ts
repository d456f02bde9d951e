/** Formats the help as manual pages in man(7) format: one page for the program, and one for each command. */

import type { Command } from 'commander';

import { COMMAND_GROUPS } from '../command-groups.ts';
import { examplesOf } from '../declare.ts';

export interface ManPage {
  readonly version: string;
  /** The examples and exit codes at the end of the program's help. */
  readonly closing: string;
}

/** Returns the page of the program, `holdfast(1)`. It has one line for each command. */
export function manPage(program: Command, { version, closing }: ManPage): string {
  return pageOf([
    header('holdfast', version),
    '.SH NAME',
    `holdfast \\- ${text(lowerFirst(program.description()).replace(/\.$/, ''))}`,
    '.SH SYNOPSIS',
    '.B holdfast',
    '[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]',
    '.SH DESCRIPTION',
    'A daemon watches folders and stores every change as a new version, in an embedded object store or at any service',
    'that supports the same protocol. Without a command, it shows the dashboard on a terminal, and the status elsewhere.',
    '.SH OPTIONS',
    'All commands have these options.',
    ...optionLines(program),
    '.SH COMMANDS',
    'Each command has a page of its own, such as',
    '.BR holdfast-restore (1).',
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
  ]);
}

/** Returns the page of a command and all of its subcommands, such as `holdfast-restore(1)`. */
export function commandManPage(command: Command, version: string): string {
  const name = `holdfast-${command.name()}`;
  return pageOf([
    header(name, version),
    '.SH NAME',
    `${text(name)} \\- ${text(command.summary())}`,
    '.SH SYNOPSIS',
    `.B holdfast ${text(command.name())}`,
    text(argumentWords(command)),
    '.SH DESCRIPTION',
    text(command.description()),
    ...section('OPTIONS', optionLines(command)),
    ...section(
      'COMMANDS',
      command.commands.flatMap((each) => commandLines(each, `holdfast ${command.name()}`)),
    ),
    ...section('EXAMPLES', exampleLines(command)),
    '.SH SEE ALSO',
    '.BR holdfast (1)',
  ]);
}

function header(name: string, version: string): string {
  return `.TH ${text(name.toUpperCase())} 1 "" "holdfast ${version}" "Holdfast"`;
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SH ${heading}`, ...lines];
}

function pageOf(lines: readonly string[]): string {
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

const ENVIRONMENT = [
  ['HOLDFAST_HOME', 'The folder that contains all files, as with --home.'],
  ['HOLDFAST_CONFIG', 'The configuration file, as with --config.'],
  [
    'HOLDFAST_TARGET_ACCESS_KEY_ID, HOLDFAST_TARGET_SECRET_ACCESS_KEY',
    'The access key of a remote service.',
  ],
  [
    'XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_RUNTIME_DIR',
    'The parents of the folders of Holdfast.',
  ],
  ['NO_COLOR', 'If set, output has no colours.'],
  ['HOLDFAST_NO_PROGRESS', 'If set, commands show no progress.'],
] as const;

const FILES = [
  ['~/.config/holdfast/config.yaml', 'Jobs, targets and all settings.'],
  ['~/.local/share/holdfast', 'The embedded store, users and keys.'],
  ['~/.local/state/holdfast', 'The state of the jobs, and the log.'],
  ['$XDG_RUNTIME_DIR/holdfast/control.sock', 'The control socket of the daemon.'],
] as const;

function groupLines({ commands }: Command): string[] {
  const entry = (command: Command) => [
    '.TP',
    `\\fBholdfast ${text(command.name())}\\fR ${text(argumentWords(command))}`.trimEnd(),
    text(command.summary()),
  ];
  return Object.entries(COMMAND_GROUPS).flatMap(([heading, names]) => {
    const own = names.flatMap((name) => commands.filter((each) => each.name() === name));
    return [`.SS ${quoted(heading.replace(/:$/, ''))}`].concat(own.flatMap(entry));
  });
}

/**
 * Returns the entry of a command, followed by the entries of its subcommands. Each entry contains the full name of its
 * command.
 */
function commandLines(command: Command, above: string): string[] {
  const name = `${above} ${command.name()}`;
  return [
    '.TP',
    `\\fB${text(name)}\\fR ${text(argumentWords(command))}`.trimEnd(),
    text(command.description()),
    ...indented(optionLines(command)),
    ...indented(exampleLines(command)),
    ...command.commands.flatMap((each) => commandLines(each, name)),
  ];
}

/** Returns the arguments as in the help, such as `<object> [file]`. Returns an empty text if there are none. */
function argumentWords({ registeredArguments, commands }: Command): string {
  const words = registeredArguments.map((argument) => {
    const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${word}>` : `[${word}]`;
  });
  return [...words, ...(commands.length > 0 ? ['<command>'] : [])].join(' ');
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

/** Returns the lines as a preformatted block, whose line breaks roff does not change. */
function verbatim(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['.PP', '.nf', ...lines.map(text), '.fi'];
}

function indented(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['.RS', ...lines, '.RE'];
}

/**
 * Escapes text for roff. It is then not interpreted as requests or escape sequences, and its hyphens can be copied.
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

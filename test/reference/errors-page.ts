/** Generates the tables of docs/reference/errors.md from the declared exit codes and error codes. */

import { COMMAND_ERRORS } from '../../src/cli/output/command-error.ts';
import { MISTAKE_OF, MISTAKES, STORAGE_HINTS } from '../../src/cli/output/exit-codes.ts';
import { CONTROL_ERRORS } from '../../src/control/control-error.ts';
import { TRANSPORT_ERRORS } from '../../src/object-store/transport-error.ts';
import { ERROR_TABLE } from '../../src/protocol/error-table.ts';

interface MistakeRow {
  readonly exitCode: number;
  readonly what: string;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function exitCodesTable(): string {
  const rows = Object.entries<MistakeRow>(MISTAKES)
    .toSorted(([, a], [, b]) => a.exitCode - b.exitCode)
    .map(([name, { exitCode, what }]) => [`${exitCode}`, name, what]);
  return table(['exit code', 'class', 'such as'], rows);
}

/**
 * Returns the error codes of commands and of the daemon. `--json` prints both in the field `code`.
 */
export function commandErrorsTable(): string {
  // The code `Storage` never appears in the output, because the code of the storage protocol
  // replaces it.
  const { Storage: _, ...control } = CONTROL_ERRORS;
  const meanings: Readonly<Record<string, string>> = { ...control, ...COMMAND_ERRORS };
  const rows = Object.entries(MISTAKE_OF).map(([code, mistake]) => [
    `\`${code}\``,
    `${MISTAKES[mistake].exitCode}`,
    meanings[code] ?? 'the user interrupted the command',
  ]);
  return table(['code', 'exit code', 'meaning'], rows);
}

export function controlErrorsTable(): string {
  const rows = Object.entries(CONTROL_ERRORS).map(([code, meaning]) => [`\`${code}\``, meaning]);
  return table(['code', 'meaning'], rows);
}

export function transportErrorsTable(): string {
  const rows = Object.entries(TRANSPORT_ERRORS).map(([code, meaning]) => [`\`${code}\``, meaning]);
  return table(['code', 'meaning'], rows);
}

export function storageErrorsTable(): string {
  const rows = Object.entries(ERROR_TABLE).map(([code, { status, text }]) => [
    `\`${code}\``,
    `${status}`,
    text,
    STORAGE_HINTS[code] ?? '',
  ]);
  return table(['code', 'HTTP status', 'default message', 'hint of the command line'], rows);
}

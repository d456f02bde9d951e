/** Defines the exit codes, and the errors that commands themselves throw. */

export const EXIT = {
  /** The command succeeded. */
  ok: 0,
  failed: 1,
  usage: 2,
  /** The command succeeded, but something needs the user's attention. */
  attention: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'in order',
  failed: 'failed',
  usage: 'usage',
  attention: 'in order but something needs attention',
};

/** Returns a line with the meanings of all exit codes, for the help and the manual page. */
export function exitCodesLine(): string {
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[];
  return `Exit codes: ${names.map((name) => `${EXIT[name]} ${MEANINGS[name]}`).join(', ')}.`;
}

/** The error codes of commands and their meanings. */
export const COMMAND_ERRORS = {
  Usage: 'the command line is invalid, and the command did not start',
  FolderNotUsable: 'a folder does not exist, is not a folder, or cannot be read or written',
  FileNotUsable: 'a file cannot be read or written, or its content is invalid',
  NoCredentials: 'no access key for the service was found',
  KeyEnds: 'the credentials are temporary, but a job needs a long-term access key',
  TimedOut: 'the time limit of the command has passed',
  NotFound: 'a resource that the user named does not exist',
  NotStopped: 'the daemon did not stop in time',
  NotStarted: 'the daemon did not start',
  NotImplemented: 'the command does not support this operating system',
  NotInstalled: 'a service cannot use the program at its present path',
  NoRights: 'the user may not do this, such as without root',
  Conflict: 'the command conflicts with the present state, such as a file that already exists',
  ServiceManager: 'systemd or launchd returned an error or cannot be reached',
  Declined: 'the user did not confirm a destructive command',
} as const;

export type CommandErrorCode = keyof typeof COMMAND_ERRORS;

export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: CommandErrorCode;
  /** An action that fixes the error. Undefined if there is none. */
  readonly hint: string | undefined;

  constructor(code: CommandErrorCode, message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }
}

export function usageError(message: string, hint?: string): CommandError {
  return new CommandError('Usage', message, hint);
}

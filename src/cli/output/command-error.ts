/** Defines the exit codes, and the errors that commands throw themselves. */

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

/** Returns a line with the meaning of all exit codes, for the help and the manual page. */
export function exitCodesLine(): string {
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[];
  return `Exit codes: ${names.map((name) => `${EXIT[name]} ${MEANINGS[name]}`).join(', ')}.`;
}

export type CommandErrorCode =
  /** The command line is invalid, and the command did not start. */
  | 'Usage'
  | 'FolderNotUsable'
  | 'FileNotUsable'
  | 'NoCredentials'
  /** The credentials are temporary, but a job needs long-term credentials. */
  | 'KeyEnds'
  | 'TimedOut'
  /** A resource that the user named does not exist. */
  | 'NotFound'
  /** The daemon did not stop in time. */
  | 'NotStopped'
  | 'NotStarted'
  /** The command does not support this operating system. */
  | 'NotImplemented'
  /** A service cannot use the program at its present path. */
  | 'NotInstalled'
  | 'NoRights'
  /** The command conflicts with the present state, such as a file that already exists. */
  | 'Conflict'
  /** systemd or launchd returned an error or cannot be reached. */
  | 'ServiceManager'
  /** The user did not confirm a destructive command. */
  | 'Declined';

export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: CommandErrorCode;
  /** An action that resolves the error. Undefined if there is none. */
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

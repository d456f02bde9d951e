/** The codes that a command ends with, and what it could not do by itself. */

export const EXIT = {
  /** In order. */
  ok: 0,
  failed: 1,
  usage: 2,
  /** Done, or answered, and something needs the user's attention. */
  attention: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export type CommandErrorCode =
  /** A mistake in what was typed: nothing was begun. */
  | 'Usage'
  | 'FolderNotUsable'
  | 'FileNotUsable'
  | 'NoCredentials'
  /** The key ends before what needs it does. */
  | 'KeyEnds'
  | 'TimedOut'
  /** What was named is not there. */
  | 'NotFound'
  /** A limit of ours: what was begun was left as it was. */
  | 'NotStopped'
  | 'NotStarted'
  /** What is wanted is not made for this system. */
  | 'NotImplemented'
  /** The program does not stay where it is. */
  | 'NotInstalled'
  | 'NoRights'
  /** Something of that name is in the way. */
  | 'Conflict'
  /** systemd or launchd refused, or is not there. */
  | 'ServiceManager'
  /** The user did not confirm a destructive command. */
  | 'Declined';

export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: CommandErrorCode;
  /** What the user can do about it. */
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

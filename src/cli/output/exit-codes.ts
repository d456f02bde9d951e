/** Maps errors to exit codes, error codes, messages and hints. Commands load this file only after an error. */

import { type Command, CommanderError } from 'commander';

import { diskErrorFix, diskErrorLine } from '../../base/disk-error.ts';
import { errorCode, errorMessage, isAbort } from '../../base/errors.ts';
import { ownMember } from '../../base/own-member.ts';
import { ConfigError } from '../../config/config-error.ts';
import { ControlError, type ControlErrorCode } from '../../control/control-error.ts';
import { problemText } from '../../control/parameter-error.ts';
import { CommandError, type CommandErrorCode, EXIT } from './command-error.ts';
import type { ExitCode } from './command-error.ts';
import { shellWord, visible } from './text.ts';

interface MistakeClass {
  readonly exitCode: ExitCode;
  /** Examples, for docs/reference/errors.md. */
  readonly what: string;
}

/** The classes of errors, each with the exit code that all commands use for them. */
export const MISTAKES = {
  'invalid argument': {
    exitCode: EXIT.usage,
    what: 'an unknown command or option; an argument, option or setting that is missing, invalid or ambiguous; malformed rules in a file; no confirmation by `--yes`. Nothing was done',
  },
  'invalid document': {
    exitCode: EXIT.failed,
    what: 'a file that cannot be read; `config.yaml`, a policy or a key file that is invalid',
  },
  'not found': {
    exitCode: EXIT.failed,
    what: 'a job, target, bucket, object, version or user that does not exist',
  },
  conflict: {
    exitCode: EXIT.failed,
    what: 'a request that the present state forbids: a name in use, a bucket that is not empty, a lock, a quota',
  },
  'not permitted': { exitCode: EXIT.failed, what: 'a key or a user without the permission' },
  unavailable: {
    exitCode: EXIT.failed,
    what: 'a daemon that does not run or does not answer, a service that cannot be reached',
  },
  failed: {
    exitCode: EXIT.failed,
    what: 'a full disk, a timeout, a defect; also a check, a test or an action that found or met a failure',
  },
  interrupted: { exitCode: EXIT.failed, what: 'Ctrl-C, or the answer no to a question' },
  attention: {
    exitCode: EXIT.attention,
    what: 'the command completed, but its result needs attention: `status` found a job at risk, or some of several jobs or objects failed',
  },
} as const satisfies Readonly<Record<string, MistakeClass>>;

type Mistake = keyof typeof MISTAKES;

type ErrorCode = CommandErrorCode | Exclude<ControlErrorCode, 'Storage'> | 'Interrupted';

export const MISTAKE_OF: Readonly<Record<ErrorCode, Mistake>> = {
  Usage: 'invalid argument',
  BadRequest: 'invalid argument',
  BadMessage: 'failed',
  Config: 'invalid document',
  FileNotUsable: 'invalid document',
  FolderNotUsable: 'not found',
  NotFound: 'not found',
  Conflict: 'conflict',
  KeyEnds: 'not permitted',
  NoCredentials: 'not permitted',
  NoRights: 'not permitted',
  PermissionDenied: 'not permitted',
  Disconnected: 'unavailable',
  NotRunning: 'unavailable',
  ServiceManager: 'unavailable',
  TooMuch: 'unavailable',
  Transport: 'unavailable',
  Cancelled: 'failed',
  Failed: 'failed',
  Internal: 'failed',
  NotImplemented: 'failed',
  NotInstalled: 'failed',
  NotStarted: 'failed',
  NotStopped: 'failed',
  TimedOut: 'failed',
  VersionMismatch: 'failed',
  Declined: 'interrupted',
  Interrupted: 'interrupted',
};

/**
 * The storage protocol's error codes for an invalid name or value that the user typed. For all other codes, the exit
 * code is `failed`.
 */
const INVALID_VALUES: ReadonlySet<string> = new Set([
  'InvalidArgument',
  'InvalidBucketName',
  'InvalidLocationConstraint',
  'InvalidRetentionPeriod',
  'InvalidStorageClass',
  'InvalidTag',
  'KeyTooLongError',
  'MetadataTooLarge',
]);

/** Returns the exit code for the reported error code. */
function exitCodeOf(code: string): ExitCode {
  const known = INVALID_VALUES.has(code) ? 'invalid argument' : ownMember(MISTAKE_OF, code);
  return MISTAKES[known ?? 'failed'].exitCode;
}

export interface Failure {
  readonly exitCode: ExitCode;
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  /** Set for an error that is a bug in Holdfast. The report then includes the stack trace. */
  readonly defect?: true;
}

const NOT_RUNNING_HINT =
  'to start it: holdfast up; to back up a first folder: holdfast up FOLDER, or holdfast init';

const NO_ROOM_HINT = 'free space on the disk of the store, which is in the home folder of Holdfast';

/** Hints for errors of the store that contain no hint, by error code. */
export const STORAGE_HINTS: Readonly<Record<string, string>> = {
  StoreInUse: 'to see its state: holdfast status; to stop it: holdfast down',
  NoSuchBucket: '`holdfast s3 ls` lists the buckets, `holdfast s3 mb BUCKET` creates one',
  NoSuchKey: 'to list the objects: holdfast s3 ls BUCKET/PREFIX',
  NoSuchVersion: 'to list the versions: holdfast s3 versions BUCKET/KEY',
  NoSuchBucketPolicy: 'to set one: holdfast s3 policy set BUCKET FILE',
  NoSuchCORSConfiguration: 'to add a rule: holdfast s3 cors add BUCKET --origin ORIGIN',
  NoSuchLifecycleConfiguration: 'to add a rule: holdfast s3 lifecycle add BUCKET NAME',
  NoSuchWebsiteConfiguration: 'to make it a website: holdfast s3 website set BUCKET',
  InsufficientStorage: NO_ROOM_HINT,
  // Database errors on a full disk. SQLITE_IOERR_SHMSIZE means that the WAL index cannot grow.
  SQLITE_FULL: NO_ROOM_HINT,
  SQLITE_IOERR_SHMSIZE: NO_ROOM_HINT,
  QuotaExceeded: 'to raise the quota: holdfast s3 quota set BUCKET --bytes SIZE --objects COUNT',
  BucketNotEmpty: '`holdfast s3 rm BUCKET --recursive --all-versions` empties it, for good',
};

const CODE_HINTS: Partial<Readonly<Record<CommandErrorCode, string>>> = {
  FileNotUsable: 'check the path and its permissions: ls -l PATH',
};

/**
 * Messages for a wrong or missing encryption key, by `CustomerKey` in the error. They replace the protocol's messages.
 */
const KEY_MESSAGES: Readonly<Record<string, string>> = {
  needed: 'the object is encrypted under a key of its owner, which was not given',
  'not needed': 'a key was given, and the object is not encrypted',
  wrong: 'the object is encrypted under another key',
};

/**
 * Hints for a wrong or missing encryption key, by `CustomerKey` in the error. They are not in STORAGE_HINTS, because
 * unrelated errors have the same error code.
 */
const KEY_HINTS: Readonly<Record<string, string>> = {
  needed: 'give the file of the key of the object: --key-file FILE',
  'not needed': 'repeat the command without --key-file',
  wrong: 'give the file of the key that the object was stored with: --key-file FILE',
};

interface Typed {
  /** The command that was typed, without its arguments. */
  readonly line?: string | undefined;
  /** The declaration of that command. Absent if the command is unknown. */
  readonly command?: Command | undefined;
}

/**
 * Returns how to report the error. Returns undefined if there is nothing to report, because the user asked for help or
 * the reader of the output exited.
 */
export function failureOf(
  error: unknown,
  { line = 'holdfast', command }: Typed = {},
): Failure | undefined {
  if (errorCode(error) === 'EPIPE') return undefined;
  if (isAbort(error)) return failure('Interrupted', 'interrupted');
  if (error instanceof CommanderError) return usageFailure(error, line);
  if (error instanceof CommandError) {
    const { code, message, hint = CODE_HINTS[code] } = error;
    return failure(code, message, hint);
  }
  if (error instanceof ControlError) return controlFailure(error, command);
  if (error instanceof ConfigError) {
    return failure('Config', error.message, error.hint);
  }
  const code = errorCode(error);
  const message = diskErrorLine(error) ?? errorMessage(error);
  if (code !== undefined) {
    const hint = STORAGE_HINTS[code] ?? diskErrorFix(error);
    return failure(code, message, hint);
  }
  return { ...failure('Internal', message), defect: true };
}

function failure(code: string, message: string, hint?: string): Failure {
  return { exitCode: exitCodeOf(code), code, message, hint };
}

/**
 * Returns how to report a usage error. Returns undefined for the help and the version, because commander throws an
 * error with exit code 0 after printing them.
 */
function usageFailure(error: CommanderError, help: string): Failure | undefined {
  if (error.exitCode === 0) return undefined;
  const message =
    error.code === 'commander.help'
      ? 'which of these commands?'
      : error.message.replace(/^error: /, '').replaceAll('\n', ' ');
  return failure('Usage', message, `to show its options and examples: ${help} --help`);
}

/**
 * Returns the message for an invalid parameter, with the option or argument that the user typed. Returns undefined for
 * other errors.
 */
function parameterMessage(
  { details: { parameter, reason } }: ControlError,
  command: Command | undefined,
): string | undefined {
  if (typeof parameter !== 'string' || typeof reason !== 'string') return undefined;
  const name = command && typedName(command, parameter);
  return problemText({ parameter, reason }, name);
}

/**
 * Returns the option or argument that sets a parameter, such as `--note` for `acknowledgement.note`. Returns undefined
 * if neither has the name of the parameter.
 */
export function typedName(command: Command, parameter: string): string | undefined {
  for (const name of parameter.split('.').toReversed()) {
    const option = command.options.find((each) => each.attributeName() === name);
    if (option) return option.long ?? option.flags;
    const argument = command.registeredArguments.find((each) => each.name() === name);
    if (argument) return name.toUpperCase();
  }
  return undefined;
}

/** Replaces `BUCKET`, `KEY` and `PREFIX` in the hint with the names from the error details, if present. */
function inBucket(hint: string | undefined, details: ControlError['details']): string | undefined {
  const { BucketName: bucket, Key: key } = details;
  if (hint === undefined || typeof bucket !== 'string') return hint;
  const folder = String(key ?? '').replace(/[^/]*$/, '');
  const place = (name: string) => shellWord(visible(name));
  const named =
    key === undefined ? hint : hint.replace('BUCKET/KEY', () => place(`${bucket}/${key}`));
  return named
    .replace('BUCKET/PREFIX', () => place(`${bucket}/${folder}`))
    .replace(/BUCKET\b/, () => place(bucket));
}

function controlFailure(error: ControlError, command: Command | undefined): Failure {
  const message = parameterMessage(error, command) ?? error.message;
  const code = error.storageCode ?? error.code;
  if (error.code === 'NotRunning') {
    return failure(code, message, NOT_RUNNING_HINT);
  }
  const customerKey = String(error.details['CustomerKey']);
  const keyHint = ownMember(KEY_HINTS, customerKey);
  const versionHint =
    error.details['ArgumentName'] === 'versionId' ? STORAGE_HINTS['NoSuchVersion'] : undefined;
  const hint = error.hint ?? keyHint ?? inBucket(versionHint ?? STORAGE_HINTS[code], error.details);
  return failure(code, ownMember(KEY_MESSAGES, customerKey) ?? message, hint);
}

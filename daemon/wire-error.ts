/** What a failed handler or stream means to a client: the one place where errors become ControlErrors. */

import { defined } from '../src/base/defined.ts';
import { diskErrorFix, diskErrorLine, diskErrorMeaning } from '../src/base/disk-error.ts';
import { errorCode, isAbort } from '../src/base/errors.ts';
import { type Logger, silentLogger } from '../src/base/logger.ts';
import { ClusterError, type ClusterErrorCode } from '../src/cluster/cluster-error.ts';
import { ConfigError } from '../src/config/config-error.ts';
import { ControlError } from '../src/control/control-error.ts';
import { IdentityError } from '../src/identity/identity-error.ts';
import { OpenStoreError } from '../src/engine/disk/open-error.ts';
import { MonitoringError } from '../src/monitoring/monitoring-error.ts';
import { MirrorError, type MirrorErrorCode } from '../src/mirror/model/mirror-error.ts';
import { StorageError } from '../src/object-store/storage-error.ts';
import { TransportError } from '../src/object-store/transport-error.ts';

/** A defect goes to the log with its stack, and to the client without its text. */
export function controlErrorOf(error: unknown, logger: Logger): ControlError {
  if (error instanceof ControlError) return error;
  if (isAbort(error)) return new ControlError('Cancelled', 'the daemon gave up on the request');
  if (error instanceof StorageError) {
    const { code: storageCode, details, message } = error;
    return new ControlError('Storage', message, { storageCode, details });
  }
  if (error instanceof ClusterError) return clusterError(error);
  if (error instanceof ConfigError) {
    return new ControlError('Config', error.message, defined({ hint: error.hint }));
  }
  if (error instanceof IdentityError || error instanceof MonitoringError) {
    return new ControlError(error.code, error.message, defined({ hint: error.hint }));
  }
  if (error instanceof TransportError) return new ControlError('Transport', error.message);
  if (error instanceof OpenStoreError) {
    const code = error.code === 'StoreInUse' ? 'Conflict' : 'Failed';
    return new ControlError(code, error.message);
  }
  if (error instanceof MirrorError) {
    const code = ABSENT.has(error.code) ? 'NotFound' : 'Failed';
    return new ControlError(code, error.message, defined({ hint: error.hint }));
  }
  if (errorCode(error) === 'ERR_MODULE_NOT_FOUND') return replaced(error, logger);
  const meaning = diskErrorMeaning(error);
  if (meaning !== undefined) return diskError(error, meaning, logger);
  logger.error({ err: error }, 'a request failed: this is a defect of Holdfast');
  return new ControlError('Internal', 'the request failed because of a defect of Holdfast', {
    hint: '`holdfast log` shows the error',
  });
}

/** What was named does not exist. */
const ABSENT: ReadonlySet<MirrorErrorCode> = new Set<MirrorErrorCode>([
  'NotMirrored',
  'NothingToRestore',
  'NoSuchVersion',
]);

/** The same for a command that works without the daemon: its caller may read the path, and there is no log. */
export function commandErrorOf(error: unknown): unknown {
  const known = controlErrorOf(error, silentLogger);
  if (error instanceof ControlError) return known;
  const line = known.code === 'Failed' ? diskErrorLine(error) : undefined;
  if (line !== undefined)
    return new ControlError('Failed', line, defined({ hint: diskErrorFix(error) }));
  return known.code === 'Internal' ? error : known;
}

/** The path is in the log: it may be one that the caller should not learn of. */
function diskError(error: unknown, meaning: string, logger: Logger): ControlError {
  logger.error({ err: error }, `a request failed: ${meaning}`);
  return new ControlError('Failed', `the request failed: ${meaning}`, {
    hint: [diskErrorFix(error) ?? [], '`holdfast log` names the file'].flat().join('; '),
  });
}

/** What is needed late is loaded late, under a name that no other release has (`build.ts`). */
function replaced(error: unknown, logger: Logger): ControlError {
  logger.error({ err: error }, 'a part of the daemon is not there any more');
  const message =
    'a part of the daemon is gone: was another release installed over the one that runs?';
  return new ControlError('VersionMismatch', message, { hint: 'start the daemon anew' });
}

/** Those that mean something to whoever calls; all others are failures with their own text. */
const CLUSTER_CODES: Partial<Record<ClusterErrorCode, ControlError['code']>> = {
  ResourceNotFoundException: 'NotFound',
  NotFoundException: 'NotFound',
  ResourceInUseException: 'Conflict',
  InvalidParameterException: 'BadRequest',
  InvalidRequestException: 'BadRequest',
  BadRequestException: 'BadRequest',
};

function clusterError({ code, message }: ClusterError): ControlError {
  const known = CLUSTER_CODES[code] ?? 'Failed';
  const hint =
    known === 'NotFound'
      ? 'to list what exists: holdfast cluster list, holdfast cluster nodegroups list CLUSTER'
      : undefined;
  return new ControlError(known, message, { details: { clusterCode: code }, ...defined({ hint }) });
}

/** Converts the errors of handlers and streams to ControlErrors for the client. */

import { defined } from '../../src/base/defined.ts';
import { diskErrorFix, diskErrorLine, diskErrorMeaning } from '../../src/base/disk-error.ts';
import { errorCode, isAbort } from '../../src/base/errors.ts';
import { type Logger, silentLogger } from '../../src/base/logger.ts';
import { ClusterError, type ClusterErrorCode } from '../../src/cluster/cluster-error.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { ControlError } from '../../src/control/control-error.ts';
import { IdentityError } from '../../src/identity/identity-error.ts';
import { OpenStoreError } from '../../src/engine/disk/open-error.ts';
import { MonitoringError } from '../../src/monitoring/monitoring-error.ts';
import { MirrorError, type MirrorErrorCode } from '../../src/mirror/model/mirror-error.ts';
import { StorageError } from '../../src/object-store/storage-error.ts';
import { TransportError } from '../../src/object-store/transport-error.ts';

/**
 * Returns the ControlError for an error. An unexpected error is logged with its stack trace, and its message is not
 * sent to the client.
 */
export function controlErrorOf(error: unknown, logger: Logger): ControlError {
  if (error instanceof ControlError) return error;
  if (isAbort(error))
    return new ControlError('Cancelled', 'the request was cancelled, or the daemon is stopping');
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

/** The error codes for a file or version that does not exist. */
const ABSENT: ReadonlySet<MirrorErrorCode> = new Set<MirrorErrorCode>([
  'NotMirrored',
  'NothingToRestore',
  'NoSuchVersion',
]);

/**
 * Returns the error of a command that runs without a daemon. Its message contains the path, because the user of the
 * command may see it.
 */
export function commandErrorOf(error: unknown): unknown {
  const known = controlErrorOf(error, silentLogger);
  if (error instanceof ControlError) return known;
  const line = known.code === 'Failed' ? diskErrorLine(error) : undefined;
  if (line !== undefined)
    return new ControlError('Failed', line, defined({ hint: diskErrorFix(error) }));
  return known.code === 'Internal' ? error : known;
}

/**
 * Logs the path of a disk error, and returns an error without the path. The client may not have permission to see
 * it.
 */
function diskError(error: unknown, meaning: string, logger: Logger): ControlError {
  logger.error({ err: error }, `a request failed: ${meaning}`);
  return new ControlError('Failed', `the request failed: ${meaning}`, {
    hint: [diskErrorFix(error) ?? [], '`holdfast log` names the file'].flat().join('; '),
  });
}

/**
 * Returns the error for a module that cannot be found, because another version of Holdfast was installed while the
 * daemon was running. Modules are loaded lazily, and each version has different file names (`build.ts`).
 */
function replaced(error: unknown, logger: Logger): ControlError {
  logger.error({ err: error }, 'a file of the daemon is missing');
  const message = 'a file of the daemon is missing: another release may have been installed';
  return new ControlError('VersionMismatch', message, {
    hint: 'to restart the daemon: holdfast down, then holdfast up',
  });
}

/** The error codes of the control protocol for errors of cluster services. All other errors become `Failed`. */
const CLUSTER_CODES: Partial<Record<ClusterErrorCode, ControlError['code']>> = {
  ResourceNotFoundException: 'NotFound',
  NotFoundException: 'NotFound',
  ResourceInUseException: 'Conflict',
  InvalidParameterException: 'BadRequest',
  // The state of the cluster or the node group does not permit the request.
  InvalidRequestException: 'Conflict',
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

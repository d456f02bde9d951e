/**
 * Checks and reads the certificates to trust for a target. The PEM file contains certificate authorities, or
 * the service's self-signed certificate.
 */

import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

import { failureReason } from '../base/disk-error.ts';
import { errorCode } from '../base/errors.ts';
import type { Config, TargetConfig } from './config.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';

/** The maximum file size. All public certificate authorities together need a quarter of it. */
const MAX_CA_BYTES = 1024 * 1024;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Checks the `caFile` of each target. Throws ConfigError with all files that cannot be used. */
export function checkCaFiles(
  { targets, clusters }: Pick<Config, 'clusters' | 'targets'>,
  configFile: string,
): void {
  const problems = [
    ...problemsOf('targets', targets),
    ...problemsOf('clusters.services', clusters.services),
  ];
  if (problems.length > 0) throw new ConfigError(configFile, problems);
}

function problemsOf(
  list: string,
  services: readonly Pick<TargetConfig, 'caFile'>[],
): readonly ConfigProblem[] {
  return services.flatMap(({ caFile }, index) => {
    const message = caFile === undefined ? undefined : problemOf(caFile);
    return message === undefined
      ? []
      : [{ path: `${list}[${index}].caFile`, message: `${caFile}: ${message}` }];
  });
}

/** Returns the text of a CA file. Throws ConfigError if the file cannot be used. */
export function readCaFile(file: string): string {
  const message = problemOf(file);
  if (message !== undefined) throw new ConfigError(file, [{ message }]);
  return readFileSync(file, 'utf8');
}

/** Returns why the file cannot be used, or undefined if it can. */
function problemOf(file: string): string | undefined {
  try {
    if (statSync(file).size > MAX_CA_BYTES) return `it is larger than ${MAX_CA_BYTES} bytes`;
    const found = readFileSync(file, 'utf8').match(CERTIFICATE) ?? [];
    const certificates = found.map((pem) => new X509Certificate(pem));
    return certificates.length === 0 ? 'it contains no PEM certificate' : undefined;
  } catch (error) {
    const code = errorCode(error) ?? '';
    // The error text of OpenSSL does not help the user.
    return code.startsWith('ERR_OSSL')
      ? 'it contains an invalid certificate'
      : failureReason(error, 'file');
  }
}

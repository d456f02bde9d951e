/**
 * Implements `holdfast config check`. The command prints all problems of a configuration. It works without a daemon.
 */

import { loadConfig, parseConfig } from '../../../config/load.ts';
import type { Config } from '../../../config/config.ts';
import { checkCaFiles } from '../../../config/ca-file.ts';
import { certificateWarning, readCertificate } from '../../../config/certificate.ts';
import { ConfigError, problemLine } from '../../../config/config-error.ts';
import { readFile } from 'node:fs/promises';
import { errorMessage } from '../../../base/errors.ts';
import { CommandError, EXIT } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { visible } from '../../output/text.ts';
import { countText } from '../../../text/amounts.ts';

export async function configCheck(context: Context, typed: string | undefined): Promise<ExitCode> {
  const home = await context.home();
  const file = typed === undefined ? home.configFile : context.path(typed);
  try {
    const config =
      typed === undefined
        ? await loadConfig(home)
        : parseConfig(await textOf(file), { file, home });
    checkCaFiles(config, file);
    await printSound(context, file, config, certificateWarnings(context, file, config));
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    await printProblems(context, error);
    return EXIT.failed;
  }
}

/**
 * Reads a configuration that the user specified. Throws CommandError `FileNotUsable` if it cannot be read. Only the
 * home folder's `config.yaml` may be missing.
 */
async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError(
      'FileNotUsable',
      `cannot read ${file}: ${errorMessage(error)}`,
      undefined,
      error,
    );
  }
}

/**
 * Returns a warning if the certificate has expired or expires soon. Throws ConfigError if the certificate cannot be
 * used.
 */
function certificateWarnings({ io }: Context, configFile: string, { storage }: Config): string[] {
  if (storage.tls === undefined) return [];
  const certificate = readCertificate(storage.tls, { configFile });
  return [certificateWarning(certificate, io.clock.now()) ?? []].flat();
}

async function printSound(
  context: Context,
  file: string,
  { jobs, targets }: Config,
  warnings: readonly string[],
): Promise<void> {
  if (context.json) return context.out.json({ file, problems: [], warnings });
  const amounts = `${countText(jobs.length, 'job')}, ${countText(targets.length, 'target')}`;
  await context.out.lines(
    `${visible(file)}: in order (${amounts})`,
    ...warnings.map((warning) => `${context.out.paint('attention', '!')} ${visible(warning)}`),
  );
}

async function printProblems(context: Context, { file, problems }: ConfigError): Promise<void> {
  if (context.json) return context.out.json({ file, problems });
  await context.out.lines(
    ...problems.map((problem) => visible(`${file}:${problemLine(problem)}`)),
    context.out.paint('bad', countText(problems.length, 'problem')),
  );
}

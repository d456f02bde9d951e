/**
 * Implements `holdfast restore --from ENDPOINT/BUCKET[/PREFIX]`. It needs neither a daemon nor a job, so it works on a
 * new machine.
 */

import type { Clock } from '../../../base/clock.ts';
import { FilesInFlight } from '../../../base/files-in-flight.ts';
import { defined } from '../../../base/defined.ts';
import type { Credentials } from '../../../config/credentials.ts';
import type { Protocol } from '../../../config/schema-words.ts';
import { usageError } from '../../output/command-error.ts';
import type { ExitCode } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import type { CredentialOptions } from '../../arguments/remote-target.ts';
import { catchInterrupts } from '../../interrupts.ts';
import { readKeyFiles } from '../../arguments/key-file.ts';
import { Progress } from '../../output/progress.ts';
import { DEFAULT_REGION, servicePlaceOf } from '../../arguments/service-place.ts';
import { readKey } from '../../arguments/target-key.ts';
import {
  printReport,
  type RestoreAmounts,
  type RestoreOptions,
  RESTORING,
  showRestore,
} from './restore.ts';
import { PlanPrinter } from './restore-plan.ts';
import { parseAt } from '../../arguments/when.ts';

/** The option `--from`, and the options that require it. */
export interface FromOptions extends CredentialOptions {
  readonly from?: string;
  readonly protocol?: Protocol;
  readonly region?: string;
  readonly caFile?: string;
  readonly keyFile?: readonly string[];
  readonly trustAttributes?: boolean;
}

/** Restores from a service. `key` overrides the credentials from the options and the environment. */
export async function restoreFrom(
  context: Context,
  options: RestoreOptions & { readonly from: string },
  key?: Credentials,
): Promise<ExitCode> {
  const { from, to, at, exact, protocol, caFile, keyFile, dryRun } = options;
  const { trustAttributes } = options;
  if (to === undefined)
    throw usageError('cannot restore: --from needs a folder for the files', 'name it: --to DIR');
  const { endpoint, region, regionFrom, bucket, prefix } = servicePlaceOf(
    from,
    options,
    context.io.env,
  );
  const verb = `cannot restore from ${from}`;
  const credentials = key ?? (await readKey(context, { options, verb }));
  const loaded = await import('../../../../daemon/offline/restore-from.ts');
  const interrupts = catchInterrupts(context.io.stderr);
  const service = {
    endpoint,
    ...defined({
      protocol,
      region: regionFrom === DEFAULT_REGION.regionFrom ? undefined : region,
      caFile: caFile && context.path(caFile),
    }),
    credentials,
    home: await context.home(),
    clock: context.io.clock,
    signal: interrupts.signal,
  };
  const progress = new Progress(context);
  const inFlight = new FilesInFlight();
  try {
    if (bucket === undefined)
      throw usageError(
        `cannot restore from "${from}": it does not name a bucket`,
        await loaded.bucketsHint(service),
      );
    const source = {
      ...service,
      bucket,
      prefix,
      to: context.path(to),
      ...defined({
        at: at === undefined ? undefined : parseAt(at, context.io.clock.now()),
        exact,
        trustAttributes,
        customerKeys: keyFile && (await readKeyFiles(context, keyFile)),
      }),
      inFlight,
      onProgress: throttled(context.io.clock, (amounts) =>
        showRestore(progress, defined({ ...amounts, current: inFlight.largest() })),
      ),
    };
    if (dryRun) {
      const printer = new PlanPrinter(context, source);
      await loaded.previewFrom(source, (row) => printer.print(row));
      return await printer.end(source.to);
    }
    progress.start(RESTORING);
    const report = await loaded.restoreFrom(source);
    progress.end();
    const code = await printReport(context, { ...source, isFrom: true }, report);
    if (keyFile === undefined && report.problems.some(isEncrypted)) await context.remark(KEY_HINT);
    if (report.unproven) await context.remark(TRUST_HINT);
    return code;
  } finally {
    progress.end();
    interrupts.release();
  }
}

const SHOWN_EVERY_MS = 100;

/** Returns a function that calls `show` at most ten times a second, because finding the largest file takes time. */
function throttled(
  clock: Clock,
  show: (amounts: RestoreAmounts) => void,
): (amounts: RestoreAmounts) => void {
  let shownAt = Number.NEGATIVE_INFINITY;
  return (amounts) => {
    const now = clock.monotonic();
    if (now - shownAt < SHOWN_EVERY_MS) return;
    shownAt = now;
    show(amounts);
  };
}

const KEY_HINT =
  'encrypted objects need the customer key of their job: name the file of the key with --key-file';

const TRUST_HINT =
  'to restore owners and special mode bits, if you trust every client that may write to the bucket: --trust-attributes';

/**
 * Returns whether reading an object requires a customer-provided key. This is detected from the error message that S3
 * services return.
 */
function isEncrypted({ message }: { readonly message: string }): boolean {
  return message.includes('Server Side Encryption');
}

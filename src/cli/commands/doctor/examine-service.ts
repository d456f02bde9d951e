/**
 * Checks whether the daemon is installed as a service and is running. For the home folder of the machine's store,
 * checks the system service.
 */

import { good } from '../../../base/finding.ts';
import type { Finding, Severity } from '../../../base/finding.ts';
import { CommandError } from '../../output/command-error.ts';
import type { Context } from '../../context.ts';
import { chooseManager } from '../service/choose.ts';
import type { ServiceState } from '../service/manager.ts';
import { ownProgram } from '../service/program-place.ts';
import { checkReachable, runTool } from '../service/run-tool.ts';
import { STORE_HOME } from '../service/systemd-units.ts';

const CHECK = 'system service';
/**
 * The service manager restarts the daemon after a failure. A larger number of restarts shows that the daemon cannot
 * run.
 */
const MANY_RESTARTS = 5;

/**
 * Returns a finding about the service. If the service manager cannot be reached, the finding is only a note. `runs` is
 * whether a daemon is running.
 */
export async function examineService(
  context: Context,
  { runs }: { readonly runs: boolean },
): Promise<Finding> {
  const { root } = await context.home();
  const system = root === STORE_HOME;
  try {
    const manager = await chooseManager(context, ownProgram(), { system });
    await checkReachable(context.io, manager);
    const { stdout, exitCode } = await runTool(context.io, manager.status);
    return judge(manager.stateOf(stdout, exitCode), system);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const note: Finding = { check: CHECK, severity: 'note', message: error.message };
    return runs ? note : { ...note, fix: 'holdfast service run' };
  }
}

function judge(
  { installed, running, state, enabled, restarts = 0 }: ServiceState,
  system: boolean,
) {
  const command = (verb: string) =>
    system ? `sudo holdfast service ${verb} --system` : `holdfast service ${verb}`;
  if (!installed) {
    const message = 'no service is installed, so Holdfast must be started manually';
    return found('note', message, command('install'));
  }
  if (!running) return found('attention', `it does not run: ${state}`, command('start'));
  if (restarts > MANY_RESTARTS)
    return found('attention', `it was restarted ${restarts} times`, command('logs'));
  if (!enabled) return found('attention', 'it does not start with the system', command('install'));
  return good(CHECK, state);
}

function found(severity: Severity, message: string, fix: string): Finding {
  return { check: CHECK, severity, message, fix };
}

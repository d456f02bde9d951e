/** Whether the daemon is a service, and stands as one should. */

import { good } from '../../base/finding.ts';
import type { Finding } from '../../base/finding.ts';
import { CommandError } from '../command-error.ts';
import type { Context } from '../context.ts';
import { chooseManager } from '../service/choose.ts';
import { ownProgram } from '../service/program-place.ts';
import { runTool } from '../service/run-tool.ts';

const CHECK = 'system service';
/** It is started again when it fails; more often is a daemon that cannot run. */
const MANY_RESTARTS = 5;

export async function examineService(context: Context): Promise<Finding> {
  const manager = await chooseManager(context, ownProgram(), {});
  const told = await runTool(context.io, manager.status).catch((error: unknown) => {
    if (error instanceof CommandError) return undefined;
    throw error;
  });
  const note = (message: string, fix: string): Finding => ({
    check: CHECK,
    severity: 'note',
    message,
    fix,
  });
  if (told === undefined) return note('there is no service manager here', 'holdfast daemon');
  const {
    installed,
    running,
    enabled,
    state,
    restarts = 0,
  } = manager.stateOf(told.stdout, told.exitCode);
  if (!installed)
    return note(
      'none is installed: nothing is mirrored before somebody starts it',
      'holdfast service install',
    );
  const bad = (message: string, fix: string): Finding => ({
    check: CHECK,
    severity: 'attention',
    message,
    fix,
  });
  if (!running) return bad(`it does not run: ${state}`, 'holdfast service start');
  if (restarts > MANY_RESTARTS)
    return bad(`it was started again ${restarts} times`, 'holdfast service logs');
  if (!enabled) return bad('it does not start with the system', 'holdfast service install');
  return good(CHECK, state);
}

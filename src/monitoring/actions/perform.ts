/**
 * Runs one action of an alarm or of a job's alert. If the action fails, returns a failed outcome and throws no error.
 */

import type { Clock } from '../../base/clock.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { AlarmAction } from '../alarm.ts';
import { runCommand } from './command.ts';
import type { Notice } from './notice.ts';
import { notifyDesktop } from './notification.ts';
import { done, failed, type Outcome } from './outcome.ts';
import { postWebhook } from './webhook.ts';

export interface ActionTools {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The environment for programs. The variables of the notice are added to it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working directory for programs. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
}

/** Runs an action and returns its outcome. Rejects only with the signal's reason. */
export async function perform(
  action: AlarmAction,
  notice: Notice,
  tools: ActionTools,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    switch (action.type) {
      case 'log':
        return writeLog(notice, tools.logger);
      case 'command':
        return await runCommand(action, notice, tools, signal);
      case 'webhook':
        return await postWebhook(action, notice, tools, signal);
      default:
        return await notifyDesktop(notice, tools, signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    return failed(errorMessage(error));
  }
}

function writeLog({ isUrgent, fields, message }: Notice, logger: Logger): Outcome {
  if (isUrgent) logger.warn(fields, message);
  else logger.info(fields, message);
  return done('written');
}

/**
 * Returns a short description of an action. It omits the path and query of a URL, because they may
 * be secret.
 */
export function actionText(action: AlarmAction): string {
  switch (action.type) {
    case 'command':
      return `command ${action.argv[0] ?? ''}`;
    case 'webhook':
      return `webhook ${URL.parse(action.url)?.host ?? ''}`;
    default:
      return action.type;
  }
}

/** Does one action of an alarm, and tells how it ended. What goes wrong is an outcome, never an error. */

import type { Clock } from '../../base/clock.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { AlarmAction, Transition } from '../alarm.ts';
import { runCommand } from './command.ts';
import { notifyDesktop } from './notification.ts';
import { done, failed, type Outcome } from './outcome.ts';
import { postWebhook } from './webhook.ts';

export interface ActionTools {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of programs: theirs and what they are told. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where programs begin. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
}

/** Rejects only with the signal's reason. */
export async function perform(
  action: AlarmAction,
  transition: Transition,
  tools: ActionTools,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    switch (action.type) {
      case 'log':
        return writeLog(transition, tools.logger);
      case 'command':
        return await runCommand(action, transition, tools, signal);
      case 'webhook':
        return await postWebhook(action, transition, tools, signal);
      default:
        return await notifyDesktop(transition, tools, signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    return failed(errorMessage(error));
  }
}

function writeLog({ alarm, from, to, reason, isTest }: Transition, logger: Logger): Outcome {
  const fields = { alarm: alarm.name, bucket: alarm.bucket, from, to, reason, isTest };
  if (to === 'ALARM') logger.warn(fields, 'alarm changed its state');
  else logger.info(fields, 'alarm changed its state');
  return done('written');
}

/** An action in a few words. The path and query of an address may be a secret by themselves. */
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

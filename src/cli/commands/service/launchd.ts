/**
 * Controls launchd on macOS with launchctl. The service is an agent of the logged-in user. It has not been tested on a
 * Mac yet.
 */

import { defined } from '../../../base/defined.ts';
import { LABEL } from './launchd-plist.ts';
import type { Manager, ServiceFile, ServiceState } from './manager.ts';

export interface LaunchdOptions {
  readonly uid: number;
  readonly plist: ServiceFile;
  readonly logFile: string;
}

export function launchd({ uid, plist, logFile }: LaunchdOptions): Manager {
  const domain = `gui/${uid}`;
  const service = `${domain}/${LABEL}`;
  return {
    name: LABEL,
    files: [plist],
    reach: ['launchctl', 'print', domain],
    unreached: 'log in on the desktop: a session by ssh alone has no launch agents',
    install: [
      ['launchctl', 'enable', service],
      ['launchctl', 'bootstrap', domain, plist.path],
    ],
    beforeRemoval: [['launchctl', 'bootout', service]],
    afterRemoval: [],
    start: ['launchctl', 'kickstart', service],
    stop: ['launchctl', 'kill', 'SIGTERM', service],
    restart: ['launchctl', 'kickstart', '-k', service],
    status: ['launchctl', 'print', service],
    stateOf,
    logs: ({ lines, follow }) => ['tail', '-n', String(lines), ...(follow ? ['-F'] : []), logFile],
  };
}

/** Parses the output of `launchctl print`. A nonzero exit code means that the agent is not loaded. */
function stateOf(printed: string, exitCode: number): ServiceState {
  const valueOf = (name: string) => new RegExp(`^\\s*${name} = (.*)$`, 'm').exec(printed)?.[1];
  const installed = exitCode === 0;
  const state = valueOf('state') ?? (installed ? 'unknown' : 'not loaded');
  const pid = Number(valueOf('pid')) || undefined;
  return {
    installed,
    running: state === 'running',
    state,
    enabled: installed,
    ...defined({ pid }),
  };
}

/** Formats the property list of the launchd agent (see launchd.plist(5)). */

import { V8_FLAGS } from '../../node-options.ts';
import type { Program } from './program-place.ts';

export const LABEL = 'dev.holdfast.daemon';

export interface Agent {
  readonly program: Program;
  /** The value of `--home`. Absent for the default directories. */
  readonly home?: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The file for standard output and standard error. */
  readonly logFile: string;
}

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

/**
 * The maximum number of open files. The default of 256 is too low for a daemon that watches many
 * folders.
 */
const MAX_FILES = 65_536;

export function launchdPlist({ program, home, environment, logFile }: Agent): string {
  const place = home === undefined ? [] : ['--home', home];
  const agent: Value = {
    Label: LABEL,
    ProgramArguments: [program.node, ...V8_FLAGS, program.script, ...place, 'service', 'run'],
    EnvironmentVariables: environment,
    RunAtLoad: true,
    // The daemon is not restarted after exit code 0, so that `holdfast down` stops it.
    KeepAlive: { SuccessfulExit: false },
    ThrottleInterval: 10,
    ExitTimeOut: 30,
    ProcessType: 'Background',
    LowPriorityBackgroundIO: true,
    Umask: 0o077,
    SoftResourceLimits: { NumberOfFiles: MAX_FILES },
    StandardOutPath: logFile,
    StandardErrorPath: logFile,
  };
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<!-- Made by `holdfast service install`, which writes it again. -->\n' +
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n' +
    `<plist version="1.0">\n${element(agent, '')}</plist>\n`
  );
}

function element(value: Value, indent: string): string {
  const inner = `${indent}  `;
  switch (typeof value) {
    case 'string':
      return `${indent}<string>${escaped(value)}</string>\n`;
    case 'number':
      return `${indent}<integer>${value}</integer>\n`;
    case 'boolean':
      return `${indent}<${value}/>\n`;
    default:
  }
  if (isList(value))
    return `${indent}<array>\n${value.map((each) => element(each, inner)).join('')}${indent}</array>\n`;
  const members = Object.entries(value).map(
    ([key, each]) => `${inner}<key>${escaped(key)}</key>\n${element(each, inner)}`,
  );
  return `${indent}<dict>\n${members.join('')}${indent}</dict>\n`;
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Reasons why some examples in the help are not run. The commands and options of these examples are
 * still checked.
 */

/** Reason for a command that has no row in either table. A test reports such a command. */
export const NO_ROW = 'the command has no row in test/docs/help-remarks.ts or help-not-run.ts';

/** Matches examples that use a remote service. */
export const SERVICES = /https:\/\/storage\.example\.com|--target offsite/;
export const SERVICES_ARE_TESTED =
  'it names a remote service; test/daemon/documented-services.test.ts runs it';

const SERVICE = 'it changes services of the machine; `npm run test:systemd` runs it';

/** Commands whose examples are not run, each with the reason. */
export const HELP_NOT_RUN: Readonly<Record<string, string>> = {
  init: 'it asks questions and installs a service; test/daemon/init.test.ts runs it',
  'service run': 'it runs in the foreground; this session itself starts it',
  's3 serve': 'it needs another user of the machine; `npm run test:systemd` runs it',
  'target add': 'it names a remote service; test/daemon/target-commands.test.ts runs it',
  service: SERVICE,
  'service install': SERVICE,
  'service uninstall': SERVICE,
  'service start': SERVICE,
  'service stop': SERVICE,
  'service restart': SERVICE,
  'service status': SERVICE,
  'service logs': SERVICE,
};

/** What a service manager of a system is to `holdfast service`: files to write, and commands to run. */

export type Command = readonly [program: string, ...args: string[]];

export interface ServiceFile {
  readonly path: string;
  readonly text: string;
}

export interface ServiceState {
  readonly installed: boolean;
  readonly running: boolean;
  /** As the manager says it. */
  readonly state: string;
  /** At the next start of the machine, or log-in. */
  readonly enabled: boolean;
  readonly pid?: number;
  /** How often the manager has started it again by itself. */
  readonly restarts?: number;
}

export interface Manager {
  /** As people call the service in its own tools. */
  readonly name: string;
  readonly files: readonly ServiceFile[];
  /** Succeeds wherever the manager answers, whether or not the service is there. */
  readonly reach: Command;
  /** What to do where it does not. */
  readonly unreached: string;
  /** Run after the files are written: it is started, or started again. */
  readonly install: readonly Command[];
  readonly beforeRemoval: readonly Command[];
  readonly afterRemoval: readonly Command[];
  readonly start: Command;
  readonly stop: Command;
  readonly restart: Command;
  readonly status: Command;
  /** Of what `status` printed, or of its failure. */
  stateOf(printed: string, exitCode: number): ServiceState;
  logs(options: { readonly lines: number; readonly follow: boolean }): Command;
}

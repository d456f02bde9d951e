/** Declares the interface to a service manager: the files to write and the commands to run for a service. */

export type Command = readonly [program: string, ...args: string[]];

export interface ServiceFile {
  readonly path: string;
  readonly text: string;
  /** The path of the same file in a Holdfast package. Absent if packages do not contain it. */
  readonly packagedPath?: string;
}

export interface ServiceState {
  readonly installed: boolean;
  readonly running: boolean;
  /** The state, in the words of the service manager. */
  readonly state: string;
  /**
   * Whether the service starts with the machine. For a user service, whether it starts when the user logs
   * in.
   */
  readonly enabled: boolean;
  readonly pid?: number;
  /** The number of automatic restarts. Absent if it is 0 or unknown. */
  readonly restarts?: number;
}

export interface Manager {
  /** The name of the service in the tools of the manager. */
  readonly name: string;
  readonly files: readonly ServiceFile[];
  /** A command that succeeds if the manager responds, even if the service is not installed. */
  readonly reach: Command;
  /** The hint if the manager does not respond. */
  readonly unreached: string;
  /** The commands that enable the service and start or restart it after the files were written. */
  readonly install: readonly Command[];
  readonly beforeRemoval: readonly Command[];
  readonly afterRemoval: readonly Command[];
  readonly start: Command;
  readonly stop: Command;
  readonly restart: Command;
  readonly status: Command;
  /** Parses the output and the exit code of `status`. */
  stateOf(printed: string, exitCode: number): ServiceState;
  /** Returns the command that prints the logs of the service. */
  logs(options: { readonly lines: number; readonly follow: boolean }): Command;
}

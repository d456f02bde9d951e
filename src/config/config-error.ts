/** Defines the error for an invalid configuration. One error lists all problems of a file or of the home folder. */

/** A problem that the user must fix before Holdfast can continue. */
export interface ConfigProblem {
  readonly message: string;
  /** The path of the value in the file, such as `jobs[1].bucket`. */
  readonly path?: string;
  /** The line number, starting at 1. */
  readonly line?: number;
  readonly column?: number;
}

/** A ConfigError is thrown before anything is changed. Its message lists all problems, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** The file that was read or written, or the folder that was prepared. */
  readonly file: string;
  readonly problems: readonly ConfigProblem[];
  /** How the user can fix the problem. */
  readonly hint: string | undefined;

  constructor(
    file: string,
    problems: readonly ConfigProblem[],
    options: { readonly verb?: string; readonly cause?: unknown; readonly hint?: string } = {},
  ) {
    super(
      messageOf(options.verb ?? 'cannot read', file, problems),
      'cause' in options ? { cause: options.cause } : undefined,
    );
    this.file = file;
    this.problems = problems;
    this.hint = options.hint;
  }
}

/** Formats a problem, such as `12:5 jobs[1].bucket: must be …`. Omits the position or path if it is unknown. */
export function problemLine(problem: ConfigProblem): string {
  const { line, column, path, message } = problem;
  const place = line === undefined ? '' : `${line}:${column ?? 1} `;
  return `${place}${path ? `${path}: ` : ''}${message}`;
}

function messageOf(verb: string, file: string, problems: readonly ConfigProblem[]): string {
  const [only] = problems;
  if (problems.length === 1 && only) {
    const place = only.line === undefined ? '' : `:${only.line}:${only.column ?? 1}`;
    return oneLine(`${verb} ${file}${place}: ${only.path ? `${only.path}: ` : ''}${only.message}`);
  }
  const lines = problems.map((problem) => `  ${oneLine(problemLine(problem))}`);
  return [oneLine(`${verb} ${file}: ${problems.length} problems`), ...lines].join('\n');
}

/** Escapes line feeds. Otherwise a value could start a line that looks like another problem. */
function oneLine(text: string): string {
  return text.replaceAll('\n', String.raw`\n`);
}

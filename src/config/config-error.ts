/** The one error class of configuration: every problem of a file (or of the home) at once. */

/** Something that somebody has to change before Holdfast can go on. */
export interface ConfigProblem {
  readonly message: string;
  /** Where in the document, such as `jobs[1].bucket`. */
  readonly path?: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
}

/** Thrown before anything was changed. The message lists all problems, one a line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** What was read or prepared: the file, or the folder. */
  readonly file: string;
  readonly problems: readonly ConfigProblem[];
  /** What the user can do about it. */
  readonly hint: string | undefined;

  constructor(
    file: string,
    problems: readonly ConfigProblem[],
    options: { readonly verb?: string; readonly cause?: unknown; readonly hint?: string } = {},
  ) {
    super(
      messageOf(options.verb ?? 'read', file, problems),
      'cause' in options ? { cause: options.cause } : undefined,
    );
    this.file = file;
    this.problems = problems;
    this.hint = options.hint;
  }
}

/** `12:5 jobs[1].bucket: must be …`; the parts that are unknown are left out. */
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

/** A line feed of a value must not start a line that looks like a problem of its own. */
function oneLine(text: string): string {
  return text.replaceAll('\n', String.raw`\n`);
}

/**
 * Parses test/SPECIFICATION.md. The file lists the statements of the specification, and for each
 * statement the test file that proves it.
 */

/**
 * Row of a specification table. The title of a test in `file` contains the row's id in brackets.
 */
export interface Statement {
  readonly id: string;
  readonly states: string;
  readonly source: string;
  /** Path of the test file, relative to the root of the repository. */
  readonly file: string;
}

export interface RanTest {
  readonly file: string;
  readonly title: string;
  readonly passed: boolean;
}

const ROW = /^\| *([a-z]+-\d+[a-z]?) *\| *(.+?) *\| *(.+?) *\| *`?([^|`]+?)`? *\|$/;

/**
 * Parses the rows of all tables. Throws an error for a table line that is not a heading, a
 * separator or a row.
 */
export function parseStatements(markdown: string): readonly Statement[] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
  return lines.filter((line) => !isHeading(line)).map(parseRow);
}

function isHeading(line: string): boolean {
  return line.startsWith('| id |') || /^\|[ :|-]+\|$/.test(line);
}

function parseRow(line: string): Statement {
  const [, id, states, source, file] = ROW.exec(line) ?? [];
  if (id && states && source && file) return { id, states, source, file };
  throw new Error(`read test/SPECIFICATION.md: invalid row: ${line}`);
}

/**
 * Returns the problems of the table, one per line. A row whose test file did not run is a problem
 * only if `everythingRan` is true.
 */
export function unproven(
  statements: readonly Statement[],
  tests: readonly RanTest[],
  { everythingRan }: { readonly everythingRan: boolean },
): readonly string[] {
  const ranFiles = new Set(tests.map(({ file }) => file));
  const titles = new Map<string, boolean>();
  for (const { file, title, passed } of tests) {
    for (const id of idsIn(title)) {
      const proof = `${id} ${file}`;
      titles.set(proof, (titles.get(proof) ?? true) && passed);
    }
  }
  return [
    ...twice(statements.map(({ id }) => id)).map((id) => `[${id}] has two rows`),
    ...statements.flatMap(({ id, file }) => {
      if (!ranFiles.has(file))
        return everythingRan ? [`[${id}] cites ${file}, which did not run`] : [];
      const proof = titles.get(`${id} ${file}`);
      if (proof === undefined) return [`[${id}] is in no title of ${file} that ran`];
      return proof ? [] : [`[${id}] failed in ${file}`];
    }),
    ...unknown(statements, tests),
  ];
}

/** Returns the ids that occur in test titles but not in the table. */
function unknown(statements: readonly Statement[], tests: readonly RanTest[]): readonly string[] {
  const known = new Set(statements.map(({ id }) => id));
  const named = tests.flatMap(({ file, title }) => idsIn(title).map((id) => ({ id, file })));
  const missing = named.filter(({ id }) => !known.has(id));
  return [...new Set(missing.map(({ id, file }) => `[${id}] in ${file} has no row`))];
}

function idsIn(title: string): readonly string[] {
  return [...title.matchAll(/\[([a-z]+-\d+[a-z]?)\]/g)].map(([, id = '']) => id);
}

function twice(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}

/** test/SPECIFICATION.md: what the specification states, and the test that proves each of it. */

/** One statement: its id stands in brackets in the title of a test of that file. */
export interface Statement {
  readonly id: string;
  readonly states: string;
  readonly source: string;
  /** From the project's root. */
  readonly file: string;
}

/** A test that ran. */
export interface RanTest {
  readonly file: string;
  readonly title: string;
  readonly passed: boolean;
}

const ROW = /^\| *([a-z]+-\d+[a-z]?) *\| *(.+?) *\| *(.+?) *\| *`?([^|`]+?)`? *\|$/;

/** Throws for a line of a table that is neither a heading, a rule nor a row. */
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
  throw new Error(`read test/SPECIFICATION.md: this is no row: ${line}`);
}

/** What is wrong with the table, as lines; `files` are those that ran, or all of them with `everythingRan`. */
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

/** A title that names an id without a row proves something that nobody can find. */
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

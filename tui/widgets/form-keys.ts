/** Returns the keys of a form for its lower border, and its first field. */

/** The number of columns at which the keys of a form with sections fit on one line. */
const ROOMY = 70;

interface FormKeys {
  readonly fields: readonly FieldKeys[];
  /** The index of the selected field. */
  readonly focus: number;
  /** The verb for submitting the form. */
  readonly act: string;
  readonly columns: number;
}

/** The parts of a field that determine which keys it has. */
interface FieldKeys {
  readonly group?: string | undefined;
  readonly choices?: readonly string[];
  readonly fixed?: string;
  readonly complete?: unknown;
}

/** Returns the index of the first field that the user can edit. */
export function firstEditable(fields: readonly FieldKeys[]): number {
  return Math.max(
    0,
    fields.findIndex(({ fixed }) => fixed === undefined),
  );
}

export function formKeys({ fields, focus, act, columns }: FormKeys): string {
  const field = fields[focus];
  const isOnly = fields.filter(({ fixed }) => fixed === undefined).length === 1;
  return [
    ...(field?.choices ? ['Space change'] : []),
    ...(fields[0]?.group !== undefined && columns >= ROOMY ? ['PgDn section'] : []),
    ...(field?.complete ? ['Tab complete'] : isOnly ? [] : ['Tab next']),
    `Ctrl-S ${act}`,
    'Esc cancel',
  ].join('  ');
}

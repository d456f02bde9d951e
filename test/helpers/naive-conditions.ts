/**
 * A naive second evaluator of policy conditions. It follows only semantics B.6, is slow and imports
 * no code from `rules/`.
 */

/** Condition values of a request. The keys are in lower case, and each key has a list of values. */
export type NaiveValues = Readonly<Record<string, readonly string[]>>;

/** Type of the `Condition` element of a policy statement. */
export type NaiveBlock = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Returns true if all conditions of the block hold. `variables` is false if the policy version does
 * not support variables.
 */
export function allHold(block: NaiveBlock, values: NaiveValues, variables: boolean): boolean {
  for (const [operator, keys] of Object.entries(block)) {
    for (const [key, stated] of Object.entries(keys)) {
      const written = (Array.isArray(stated) ? stated : [stated]).map(String);
      const resolve = variables ? values : undefined;
      if (!holds(operator, written, values[key.toLowerCase()], resolve)) return false;
    }
  }
  return true;
}

/**
 * Evaluates one condition. `given` contains the request's values for the key, and is undefined if
 * the request has no value.
 */
function holds(
  operator: string,
  written: readonly string[],
  given: readonly string[] | undefined,
  resolve: NaiveValues | undefined,
): boolean {
  if (operator === 'Null') return written.includes('true') === (given === undefined);
  const [set, rest] = operator.includes(':') ? operator.split(':') : ['', operator];
  const ifExists = rest!.endsWith('IfExists');
  const name = rest!.replace('IfExists', '');
  const negated = name.includes('Not');
  const compare = comparison(name.replace('Not', ''));
  const meets = (value: string) =>
    written.some((each) => compare(each, value, resolve)) ? !negated : negated;

  if (given === undefined) return ifExists || set === 'ForAllValues' || (negated && set === '');
  if (set === 'ForAnyValue') return given.some(meets);
  if (set === 'ForAllValues') return given.every(meets);
  return negated ? given.every(meets) : given.some(meets);
}

type Compare = (written: string, given: string, resolve: NaiveValues | undefined) => boolean;

function comparison(operator: string): Compare {
  switch (operator) {
    case 'StringEquals':
      return (written, given, resolve) => text(written, resolve) === given;
    case 'StringEqualsIgnoreCase':
      return (written, given, resolve) =>
        text(written, resolve)?.toLowerCase() === given.toLowerCase();
    case 'StringLike':
      return (written, given, resolve) => isLike(written, given, resolve);
    case 'ArnEquals':
    case 'ArnLike':
      return (written, given, resolve) => isLikeArn(written, given, resolve);
    case 'Bool':
      return (written, given) => written.toLowerCase() === given.toLowerCase();
    case 'IpAddress':
      return isInRange;
    default:
      return operator.startsWith('Date')
        ? (written, given) => ordered(operator.slice(4), moment(written), moment(given))
        : (written, given) => ordered(operator.slice(7), number(written), number(given));
  }
}

/** Compares two numbers. Returns false if one of them is not a number. */
function ordered(relation: string, written: number, given: number): boolean {
  switch (relation) {
    case 'Equals':
      return given === written;
    case 'LessThan':
      return given < written;
    case 'LessThanEquals':
      return given <= written;
    case 'GreaterThan':
      return given > written;
    case 'GreaterThanEquals':
      return given >= written;
    default:
      throw new Error(`compare values: unknown relation ${relation}`);
  }
}

const number = (value: string) => (/^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN);
/** Parses seconds since 1970, or a date. Returns milliseconds since 1970. */
const moment = (value: string) =>
  Number.isNaN(number(value)) ? Date.parse(value) : number(value) * 1000;

/** Part of a pattern: a wildcard or one literal character. */
type Atom = { readonly wild: '*' | '?' } | { readonly character: string };

/**
 * Splits a pattern into wildcards and characters. Returns undefined if a policy variable has no
 * value.
 */
function atomsOf(pattern: string, resolve: NaiveValues | undefined): Atom[] | undefined {
  if (pattern === '') return [];
  const variable = resolve && /^\$\{([^}]*)\}/.exec(pattern);
  if (variable) {
    const name = variable[1]!;
    const value = ['*', '?', '$'].includes(name) ? name : resolve[name.toLowerCase()]?.[0];
    const rest = atomsOf(pattern.slice(variable[0].length), resolve);
    if (value === undefined || rest === undefined) return undefined;
    return [...value.split('').map((character) => ({ character })), ...rest];
  }
  const rest = atomsOf(pattern.slice(1), resolve);
  const first = pattern[0]!;
  return rest && [first === '*' || first === '?' ? { wild: first } : { character: first }, ...rest];
}

/**
 * Returns the text of a pattern in which wildcards have no special meaning. Policy variables are
 * replaced with their values.
 */
function text(pattern: string, resolve: NaiveValues | undefined): string | undefined {
  return atomsOf(pattern, resolve)
    ?.map((atom) => ('wild' in atom ? atom.wild : atom.character))
    .join('');
}

/**
 * Returns true if the value matches the pattern. `*` matches any number of characters, and `?`
 * matches exactly one.
 */
export function isLike(pattern: string, value: string, resolve?: NaiveValues): boolean {
  const atoms = atomsOf(pattern, resolve);
  return atoms !== undefined && isMadeOf(atoms, value);
}

function isMadeOf(atoms: readonly Atom[], value: string): boolean {
  const [first, ...rest] = atoms;
  if (first === undefined) return value === '';
  if ('wild' in first && first.wild === '*') {
    return isMadeOf(rest, value) || (value !== '' && isMadeOf(atoms, value.slice(1)));
  }
  if (value === '') return false;
  return ('wild' in first || first.character === value[0]) && isMadeOf(rest, value.slice(1));
}

/**
 * Returns true if an ARN matches a pattern. Each of the six parts must match, and only the last
 * part may contain colons.
 */
function isLikeArn(written: string, given: string, resolve: NaiveValues | undefined): boolean {
  const parts = arnParts(written);
  const others = arnParts(given);
  if (parts.length !== 6 || others.length !== 6) return false;
  return parts.every((part, index) => isLike(part, others[index]!, resolve));
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return parts.length < 6 ? parts : [...parts.slice(0, 5), parts.slice(5).join(':')];
}

/**
 * Returns true if the address `given` is in `range`, which is an IP address or a CIDR block such as
 * `10.0.0.0/8`.
 */
function isInRange(range: string, given: string): boolean {
  const { network, width } = block(range);
  const from = address(network);
  const value = address(given);
  if (!from || !value || from.bits !== value.bits) return false;
  const size = 2n ** BigInt(from.bits - (width ?? from.bits));
  return value.number / size === from.number / size;
}

/**
 * Parses a CIDR block. An IPv4-mapped IPv6 block becomes an IPv4 block: `::ffff:10.0.0.0/104`
 * becomes `10.0.0.0/8`.
 */
export function block(range: string): { network: string; width: number | undefined } {
  const [network = '', bits] = range.split('/');
  const mapped = /^::ffff:([\d.]+)$/i.exec(network)?.[1];
  const width = bits === undefined ? undefined : Number(bits);
  return mapped === undefined || width === undefined
    ? { network, width }
    : { network: mapped, width: width - 96 };
}

/** Parses an IP address. Returns undefined if it is invalid. An IPv4-mapped IPv6 address becomes an IPv4 address. */
function address(written: string): { bits: number; number: bigint } | undefined {
  const mapped = /^::ffff:([\d.]+)$/i.exec(written)?.[1] ?? written;
  if (/^\d+\.\d+\.\d+\.\d+$/.test(mapped)) {
    const number = mapped.split('.').reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    return { bits: 32, number };
  }
  if (!written.includes(':')) return undefined;
  const [head = '', tail] = written.split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)];
  return { bits: 128, number: all.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n) };
}

/**
 * Converts the fields that have a different form in HTTP messages. There, times are in seconds, and the key pair has
 * two names.
 */

type Members = Readonly<Record<string, unknown>>;

const TIMES = new Set(['createdAt', 'modifiedAt']);
/** The name that EKS tools use for `vmSshKey`. */
const SSH_KEY = 'ec2SshKey';
/** Maps whose keys are chosen by users and must not be converted. */
const MAPS = new Set(['labels', 'tags', 'addOrUpdateLabels']);

export function toWire(value: unknown): unknown {
  return change(value, (name, member) => {
    if (TIMES.has(name) && typeof member === 'number') return [[name, member / 1000]];
    if (name === 'vmSshKey')
      return [
        [name, member],
        [SSH_KEY, member],
      ];
    return [[name, member]];
  });
}

/**
 * Converts a document of an HTTP message to the form that `ClusterService` uses. If the key pair has both names, the
 * specification's name takes precedence.
 */
export function fromWire(value: unknown): unknown {
  return change(value, (name, member, all) => {
    if (TIMES.has(name) && typeof member === 'number') return [[name, Math.round(member * 1000)]];
    if (name === SSH_KEY) return 'vmSshKey' in all ? [] : [['vmSshKey', member]];
    return [[name, member]];
  });
}

type Change = (
  name: string,
  member: unknown,
  all: Members,
) => readonly (readonly [name: string, member: unknown])[];

/**
 * Replaces each field, at all levels, by the fields that `of` returns. Removes fields with the value `null`, because
 * some tools send every field that they know.
 */
function change(value: unknown, of: Change): unknown {
  if (Array.isArray(value)) return value.map((each) => change(each, of));
  if (typeof value !== 'object' || value === null) return value;
  const all = value as Members;
  const changed = Object.entries(all).flatMap(([name, member]) => {
    if (member === null || member === undefined) return [];
    return of(name, MAPS.has(name) && !isChanges(member) ? member : change(member, of), all);
  });
  return Object.fromEntries(changed);
}

/**
 * Returns whether a field contains label changes. In an update request, `labels` contains label changes instead of
 * labels.
 */
function isChanges(member: unknown): boolean {
  if (typeof member !== 'object' || member === null) return false;
  const { addOrUpdateLabels, removeLabels } = member as Members;
  // This check excludes a label with the name `addOrUpdateLabels` or `removeLabels`, whose value is a string.
  return typeof addOrUpdateLabels === 'object' || typeof removeLabels === 'object';
}

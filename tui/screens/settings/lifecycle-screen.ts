/** Lists a bucket's lifecycle rules: which objects expire, and when. */

import type { Copyable, Screen } from '../../ui/screen.ts';
import type { Area } from '../../widgets/layout.ts';
import type { Ui } from '../../ui/ui.ts';
import { FormOverlay } from '../../widgets/form.ts';
import type { FormValues } from '../../widgets/form.ts';
import { ListModel } from '../../widgets/list-model.ts';
import { framedList } from '../../widgets/list-detail.ts';
import type { ActionsFor } from '../../commands/screen-commands.ts';
import type { Column } from '../../widgets/column-widths.ts';
import { outcomeOf } from '../../data/outcome.ts';
import { asked, bucketText, isLocal } from '../../data/place.ts';
import type { BucketPlace } from '../../data/place.ts';
import { whenUp } from '../../data/when-up.ts';
import type { Look } from '../../theme/look.ts';
import {
  latestText,
  previousText,
  scopeText,
  uploadsText,
  whyNotEdited,
} from './lifecycle-text.ts';
import type { Rule } from './lifecycle-text.ts';
import { LifecyclePreview } from './lifecycle-preview.ts';
import { unlessUnset } from './setting.ts';
import { wholeOf, wholeProblem } from '../../text/pairs.ts';

function orNone(text: (rule: Rule) => string): Column<Rule>['cell'] {
  return (rule, look) => text(rule) || look.glyphs.none;
}

const COLUMNS: readonly Column<Rule>[] = [
  {
    title: 'RULE',
    width: 'fit',
    least: 14,
    most: 40,
    cut: 'middle',
    cell: ({ id = '' }, look) => look.name(id),
  },
  { title: 'STATE', width: 5, cell: ({ enabled }) => (enabled ? 'on' : 'off') },
  {
    title: 'SCOPE',
    width: 'grow',
    cut: 'middle',
    cell: (rule, look) => look.name(scopeText(rule)),
  },
  { title: 'EXPIRES', width: 'fit', cell: orNone(latestText) },
  { title: 'OLD VERSIONS', width: 'fit', cell: orNone(previousText) },
  { title: 'UPLOADS', width: 'fit', drop: 1, cell: orNone(uploadsText) },
];

/** The maximum number of days in a lifecycle rule (S3 limit). */
const MOST_DAYS = 2_147_483_647;

export class LifecycleScreen implements Screen {
  readonly scope = 'lifecycle';
  readonly crumbs: readonly string[];
  readonly list: ListModel<Rule>;
  readonly #ui: Ui;
  readonly #place: BucketPlace;
  #rules: readonly Rule[] | undefined;
  #problem: string | undefined;
  #stopListening: (() => void) | undefined;

  constructor(ui: Ui, place: BucketPlace) {
    this.#ui = ui;
    this.#place = place;
    this.crumbs = ['buckets', bucketText(place), 'lifecycle'];
    this.list = new ListModel<Rule>({ changes: ui.changes, canMark: () => false });
  }

  readonly actions: ActionsFor<'lifecycle'> = {
    'lifecycle.new': { run: () => this.#openForm() },
    'lifecycle.edit': { why: () => this.#whyNot(), run: () => this.#openForm(this.list.current) },
    'lifecycle.switch': { why: () => this.#whyNot(), run: () => this.#switch() },
    'lifecycle.delete': {
      why: () => (this.list.current ? undefined : 'choose a rule'),
      run: () => this.#delete(),
    },
    'lifecycle.preview': {
      why: () => (isLocal(this.#place) ? undefined : 'only possible for the embedded store'),
      run: () => this.#ui.router.open(new LifecyclePreview(this.#ui, this.#place)),
    },
  };

  show(): void {
    this.hide();
    this.#stopListening = whenUp(this.#ui.link, () => void this.#ui.attempt(() => this.#read()));
  }

  hide(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  copyables(): readonly Copyable[] {
    const { current } = this.list;
    return [
      ...(current ? [{ name: 'rule as JSON', text: JSON.stringify(current, null, 2) }] : []),
      { name: 'all rules as JSON', text: JSON.stringify(this.#rules ?? [], null, 2) },
    ];
  }

  draw({ columns, rows }: Area, look: Look): readonly string[] {
    const none = this.#rules
      ? 'no rules, nothing expires; press n to create a rule'
      : this.#ui.link.unreadText;
    const empty = look.name(this.#problem ?? none);
    const table = { columns: COLUMNS, empty };
    const why = this.list.current && whyNotEdited(this.list.current);
    const notes = why === undefined ? [] : [look.paint('dim', ` read-only here: ${why}`)];
    const rules = { list: this.list, title: 'Rules', table };
    return [...framedList({ columns, rows: rows - notes.length }, rules, look), ...notes];
  }

  #whyNot(): string | undefined {
    const { current } = this.list;
    return current ? whyNotEdited(current) : 'choose a rule';
  }

  async #read(): Promise<void> {
    const reading = unlessUnset(this.#ui.call('lifecycle.get', asked(this.#place)));
    const { value, problem } = await outcomeOf(reading);
    this.#problem = problem;
    if (problem === undefined) this.#rules = value?.rules ?? [];
    const places = new Map((this.#rules ?? []).map((rule, index) => [rule, String(index)]));
    this.list.showAll(
      this.#rules ?? [],
      (rule) => rule.id ?? places.get(rule) ?? '',
      (rule) => `${rule.id ?? ''} ${scopeText(rule)}`,
    );
  }

  async #save(rules: readonly Rule[]): Promise<void> {
    await this.#ui.call('lifecycle.set', { ...asked(this.#place), rules: [...rules] });
    await this.#read();
  }

  /**
   * Replaces one rule in the current list of rules. Reads the list again first, because another
   * client may have changed it.
   */
  async #replace(old: Rule | undefined, wanted: Rule | undefined): Promise<() => Promise<void>> {
    await this.#read();
    const before = this.#rules ?? [];
    const isOld = (rule: Rule) => old !== undefined && JSON.stringify(rule) === JSON.stringify(old);
    if (old && !before.some(isOld)) throw new Error('change rule: another client has changed it');
    const after = old
      ? before.flatMap((rule) => (isOld(rule) ? (wanted ? [wanted] : []) : [rule]))
      : [...before, ...(wanted ? [wanted] : [])];
    await this.#save(after);
    return () => this.#save(before);
  }

  async #switch(): Promise<void> {
    const { current } = this.list;
    if (!current) return;
    const enabled = !current.enabled;
    const undo = await this.#replace(current, { ...current, enabled });
    this.#ui.notifyUndoable(`rule ${current.id ?? ''} is ${enabled ? 'on' : 'off'}`, undo);
  }

  async #delete(): Promise<void> {
    const { current } = this.list;
    if (!current) return;
    const undo = await this.#replace(current, undefined);
    this.#ui.notifyUndoable(`deleted rule ${current.id ?? ''}`, undo);
  }

  #openForm(rule?: Rule): void {
    const days = rule?.expiration && 'days' in rule.expiration ? rule.expiration.days : undefined;
    const needsOne = (_text: string, all: FormValues) =>
      all['latest'] === '' && all['previous'] === ''
        ? 'write when current or older versions expire'
        : undefined;
    this.#ui.openOverlay(
      new FormOverlay(this.#ui, {
        title: rule ? 'Lifecycle rule' : 'New lifecycle rule',
        fields: [
          {
            name: 'id',
            label: 'name',
            value: rule?.id ?? '',
            help: 'empty: generated',
          },
          {
            name: 'prefix',
            label: 'prefix',
            value: rule?.filter.prefix ?? '',
            help: 'empty: the whole bucket',
          },
          {
            name: 'latest',
            label: 'expire after',
            value: days === undefined ? '' : String(days),
            help: 'days after creation; with versioning, adds a delete marker',
            check: (text, all) => daysProblem(text) ?? needsOne(text, all),
          },
          {
            name: 'previous',
            label: 'delete older after',
            value: String(rule?.noncurrentExpiration?.days ?? ''),
            help: 'days after a newer version replaced it; deletes it permanently',
            check: daysProblem,
          },
          {
            name: 'enabled',
            label: 'enabled',
            value: rule?.enabled === false ? 'no' : 'yes',
            choices: ['yes', 'no'],
          },
        ],
        submit: async (values) => {
          await this.#replace(rule, ruleOf(values));
          this.#ui.notify('the rule is saved');
        },
      }),
    );
  }
}

function ruleOf({ id = '', prefix = '', latest = '', previous = '', enabled }: FormValues): Rule {
  return {
    ...(id.trim() === '' ? {} : { id: id.trim() }),
    enabled: enabled === 'yes',
    filter: prefix === '' ? {} : { prefix },
    ...(latest === '' ? {} : { expiration: { days: wholeOf(latest) ?? 0 } }),
    ...(previous === '' ? {} : { noncurrentExpiration: { days: wholeOf(previous) ?? 0 } }),
  };
}

function daysProblem(text: string): string | undefined {
  return wholeProblem(text, 1, MOST_DAYS);
}

/** Which commands of the help have their examples run, in one session, and what those take for granted. */

export interface Remark {
  readonly needs?: readonly string[];
  /** Run before it, in the same shell. */
  readonly before?: string;
}

/** Examples may stop the machine or change its services, so that none is run that is not listed here. */
export const NOT_LISTED = 'it is not listed in test/docs/help-remarks.ts; its syntax is checked';

export const HELP_REMARKS: Readonly<Record<string, Remark>> = {
  status: {
    before: `mkdir -p ~/Documents/letters ~/Pictures
echo plan > ~/Documents/plan.txt; echo ann > ~/Documents/letters/ann; echo a > ~/Pictures/a.jpg
holdfast jobs add ~/Documents && holdfast jobs add ~/Pictures --name photos --bucket photos && holdfast wait`,
  },
  'jobs list': {},
  'jobs queue': {},
  'jobs pause': {},
  'jobs resume': {},
  'jobs run': { before: 'holdfast wait' },
  'jobs edit': {},
  'jobs keep': { before: "holdfast jobs edit photos 'keep={all: 7d}' && holdfast wait" },
  'jobs review': {},
  'jobs reject': {},
  'jobs show': {},
  config: {},
  'config reload': {},
  locks: {},
  verify: {},
  drill: {},
  mb: {},
  'bucket list': {},
  'lock get': {},
  'lock set': {},
  'lock remove': {},
  'keys list': {},
  'users list': {},
  'projects list': {},
  'groups list': {},
  'lifecycle run': {},
  'lifecycle runs': {},
  'alerts list': {},
  'clusters services': {},
  store: {},
};

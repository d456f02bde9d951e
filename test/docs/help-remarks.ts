/** Commands whose help examples run in one session, in this order, with their preparations and exceptions. */

export interface Remark {
  readonly needs?: readonly string[];
  /** Script to run before the examples, in the same shell. */
  readonly before?: string;
  /** Script to run before each example. */
  readonly each?: string;
  /** Replacements in the examples: original text and the text to run. */
  readonly values?: Readonly<Record<string, string>>;
  /** Examples that are not run (without their comment), with the reason. */
  readonly except?: Readonly<Record<string, string>>;
}

/** Replacements for all commands. Files outside the home are created in the session's home instead. */
export const VALUES: Readonly<Record<string, string>> = {
  '--version-id ID': '--version-id "$ID"',
  '/tmp/': '~/',
  '/backup/': '~/',
};

/** The session is only seconds old, so that relative times such as `2h ago` have no data. */
const MOMENT = {
  '"2h ago"': '"$MOMENT"',
  '"1d ago"': '"$MOMENT"',
};
const FOLLOWS = 'it follows until it is interrupted; test/daemon/cli-commands.test.ts runs it';

const newestVersion = (object: string): string =>
  `ID=$(holdfast versions ${object} --json | jq -r '.versions[0].versionId')`;

/** A user can have at most two access keys. */
const removeExpiringKeys = `for key in $(holdfast keys list --json | jq -r '.keys[] | select(.expiresAt).accessKeyId')
do holdfast keys remove "$key" --yes; done`;

export const HELP_REMARKS: Readonly<Record<string, Remark>> = {
  jobs: {
    before: `mkdir -p Documents/letters Pictures/{2020,2026,cache,old} src site
for name in Documents/{plan.txt,thesis.md,letters/ann,letters/plan.txt} \\
  Pictures/{a.jpg,b.jpg,logo.png,2020/a.jpg,2026/a.jpg,cache/lock,old/a.jpg} src/main.c site/index.html a.jpg
do echo "$name" > "$name"; done
holdfast mb photos`,
  },
  'jobs add': {
    each: `holdfast wait
for job in $(holdfast jobs list --json | jq -r '.jobs[].name'); do holdfast jobs remove $job --yes; done`,
  },
  'jobs remove': {
    before: 'holdfast jobs remove photos --yes',
    each: 'holdfast jobs add ~/Pictures --name photos --bucket pictures',
  },
  status: {
    before: `holdfast jobs add ~/Documents
holdfast jobs add ~/Pictures --name photos --bucket pictures
holdfast wait`,
  },
  up: {
    values: { '--bucket code': '--bucket code --once' },
    except: {
      'holdfast up ~/Documents': 'it follows until it is interrupted; the next example is run',
    },
  },
  log: { except: { 'holdfast log -f': FOLLOWS } },
  doctor: {},
  dashboard: {
    except: {
      'holdfast dashboard --plain':
        'it follows until it is interrupted; test/daemon/dashboard.test.ts runs it',
    },
  },
  'support-bundle': {},
  'jobs list': {},
  'jobs queue': {},
  'jobs pause': {},
  'jobs resume': {},
  'jobs run': { before: 'holdfast wait' },
  'jobs edit': {},
  'jobs keep': { before: "holdfast jobs edit photos 'keep={all: 7d}'; holdfast wait" },
  'jobs review': {},
  'jobs reject': {},
  'jobs approve': {
    before: `mkdir Pictures/many; touch Pictures/many/{1..99}; holdfast wait
rm -r Pictures/many; holdfast jobs run photos; holdfast wait
DIGEST=$(holdfast jobs review photos --json | jq -r .digest)`,
    values: { '1f0c9be2a47d5603': '"$DIGEST"' },
    except: {
      'holdfast jobs approve photos':
        'it asks on a terminal; test/daemon/cli-commands.test.ts runs it',
    },
  },
  'jobs acknowledge': {
    before: 'touch Pictures/.holdfast; holdfast wait',
    values: { 'cache/lock': '.holdfast' },
  },
  'jobs accept-root': {
    before: `rm Pictures/.holdfast
mv Pictures kept; mkdir Pictures; holdfast jobs run photos; holdfast wait`,
  },
  'jobs show': { before: 'cp -a kept/. Pictures; holdfast wait' },
  'jobs take-over': {
    before: `echo '{"job": "theirs", "host": "attic", "root": "/theirs"}' > claim
holdfast put claim pictures/.holdfast/claim; holdfast wait`,
  },
  config: {},
  'config check': { before: 'cp "$HOLDFAST_HOME/config.yaml" config.yaml' },
  'config reload': {},
  'conflicts list': {
    before: `holdfast wait
for job in documents photos; do holdfast jobs pause $job; done
for object in documents/plan.txt documents/thesis.md documents/letters/plan.txt pictures/b.jpg
do holdfast put a.jpg $object; done
for file in Documents/plan.txt Documents/thesis.md Documents/letters/plan.txt Pictures/b.jpg
do echo edited > $file; done
for job in documents photos; do holdfast jobs resume $job; done
holdfast wait`,
  },
  'conflicts show': {},
  'conflicts resolve': {},
  conflicts: {},
  locks: {},
  'locks why': {},
  release: {},
  forget: {},
  verify: {},
  drill: {},
  alerts: {},
  'alerts list': {},
  'alerts test': {},
  wait: { values: { ' && poweroff': '' } },
  undo: {
    before: `MOMENT=$(date -u +%FT%T.%3NZ); sleep 1.1
echo better > Documents/thesis.md; echo better > Documents/letters/ann; holdfast wait`,
    values: { '"1d ago"': '"$MOMENT"' },
  },
  restore: {
    before: `MOMENT=$(date -u +%FT%T.%3NZ); sleep 1.1
echo best > Documents/letters/ann; holdfast wait`,
    values: {
      ...MOMENT,
      '"2026-11-20 14:00"': '"$MOMENT"',
      '2026-11-20T14:00:00Z': '"$MOMENT"',
    },
  },
  at: {
    before: 'holdfast wait; MOMENT=$(date -u +%FT%T.%3NZ)',
    values: { '"2h ago"': '"$MOMENT"' },
  },
  mb: {},
  rb: {},
  bucket: { before: 'holdfast rb archive --yes' },
  'bucket info': {},
  'bucket list': {},
  'bucket create': { before: 'holdfast rb archive --yes' },
  'bucket remove': { before: 'holdfast mb scratch' },
  ls: {
    before: `for name in a a.jpg notes.txt logo.png 2020/a.jpg 2026/a.jpg
do holdfast put a.jpg photos/$name; done`,
  },
  versions: {},
  get: { before: `${newestVersion('photos/notes.txt')}; mkdir got; cd got` },
  put: { before: 'holdfast mb backups' },
  cp: { before: 'holdfast mb www-bucket' },
  mv: {},
  rm: {
    before: `holdfast mv photos/2026/a.jpg photos/a.jpg
${newestVersion('photos/a.jpg')}`,
  },
  encrypt: {},
  'encrypt new-key': { before: 'rm photos.key' },
  'encrypt object': { before: 'holdfast put a.jpg photos/a.jpg' },
  'encrypt rotate': { before: 'cp photos.key old.key; holdfast encrypt new-key new.key' },
  'encrypt remove': { before: 'holdfast put a.jpg photos/a.jpg --key-file photos.key' },
  info: { before: 'holdfast mb images; holdfast put a.jpg images/debian.qcow2' },
  tag: {},
  'tag get': { before: 'holdfast put a.jpg photos/2026/a.jpg' },
  'tag set': {},
  'tag remove': {},
  meta: {},
  'meta get': {},
  'meta set': {
    before: `holdfast put a.jpg www-bucket/img/a.jpg
holdfast meta set photos/a.jpg --expires 2030-01-01`,
  },
  link: { before: `holdfast mb inbox; ${newestVersion('photos/2026/a.jpg')}` },
  'retention set': {
    before: 'holdfast put a.jpg archive/2026/a.jpg',
    each: 'holdfast put a.jpg archive/2026.tar',
  },
  'retention get': { before: newestVersion('archive/2026.tar') },
  retention: { each: 'holdfast put a.jpg archive/2026.tar' },
  'retention extend': {},
  'hold on': {},
  'hold get': {},
  'hold off': {},
  hold: {},
  lock: {},
  'lock get': {},
  'lock set': {},
  'lock remove': {},
  versioning: {},
  'versioning get': {},
  'versioning enable': {},
  'versioning suspend': {},
  'projects add': {},
  projects: {
    before: 'holdfast projects remove photos --yes',
    values: { 'add photos': 'add photos --again' },
  },
  'projects list': {},
  'projects set-email': {},
  users: {},
  'users list': {},
  'users add': {},
  'users grant': { before: 'holdfast users add ann --again' },
  'users revoke': {},
  'users disable': { before: 'holdfast users add photos:eve --full-access' },
  'users enable': {},
  groups: {},
  'groups list': {},
  'groups add': { before: 'holdfast groups remove admins --yes' },
  'groups join': { before: 'holdfast groups add photos:admins' },
  'groups grant': {},
  'groups revoke': {},
  'groups leave': {},
  'groups remove': {},
  credentials: {
    except: {
      'eval "$(holdfast credentials --env)" && aws s3 ls':
        'it needs the aws cli; `npm run test:clients` runs it',
    },
  },
  keys: {},
  'keys list': {},
  'keys rotate': { each: removeExpiringKeys },
  'keys add': { before: removeExpiringKeys },
  'keys remove': {
    before: 'KEY=$(holdfast keys add restic --json | jq -r .accessKeyId)',
    values: { "'holdfast:restic@local'": '"$KEY"' },
  },
  whoami: {},
  acl: {
    before: `holdfast projects add films@umbrella
holdfast users add films:eve@umbrella
for name in a logo.png; do holdfast put a.jpg photos/$name; done`,
  },
  'acl get': {},
  'acl grant': {},
  'acl set': {},
  'acl revoke': { before: 'holdfast acl grant photos/a --public' },
  policy: {
    before: `echo '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*",
"Action": "s3:GetObject", "Resource": "arn:aws:s3:::photos/*"}]}' > policy.json`,
  },
  'policy get': {},
  'policy set': {},
  'policy check': {},
  'policy explain': {},
  'policy remove': {},
  'users remove': {},
  'projects remove': {},
  quota: { before: 'holdfast projects add shop' },
  'quota get': {},
  'quota set': {},
  metrics: {},
  'metrics on': {},
  alarms: {},
  'alarms add': {
    before: `holdfast alarms remove too-full --yes
umask 077; echo 'Authorization: Bearer secret' > hook.header`,
  },
  'alarms list': {},
  'alarms get': {},
  'alarms history': {},
  'alarms test': {},
  'alarms set-state': {},
  'alarms acknowledge': {},
  'alarms remove': {},
  'metrics off': {},
  website: {
    before: `holdfast mb pages
for name in index.html start.html 404.html; do holdfast put site/index.html pages/$name; done`,
  },
  'website get': {},
  'website set': {
    before: `holdfast mb old-pages
echo '[{"Condition": {"KeyPrefixEquals": "docs/"}, "Redirect": {"ReplaceKeyPrefixWith": "documents/"}}]' > rules.json`,
  },
  'website remove': {},
  cors: {},
  'cors get': {},
  'cors set': {},
  'cors add': {},
  'cors remove': {},
  lifecycle: {},
  'lifecycle set': {
    before: `echo '<LifecycleConfiguration><Rule><ID>old</ID><Status>Enabled</Status><Filter/>' \\
'<Expiration><Days>30</Days></Expiration></Rule></LifecycleConfiguration>' > rules.xml`,
  },
  'lifecycle get': {},
  'lifecycle add': { before: 'holdfast mb logs' },
  'lifecycle on': {},
  'lifecycle off': {},
  'lifecycle remove': {},
  'lifecycle preview': {},
  'lifecycle run': {},
  'lifecycle runs': {},
  clusters: {},
  'clusters services': {},
  'clusters list': {
    except: {
      'holdfast clusters list --service datacentre --json':
        'it names a remote service; test/daemon/cluster-commands.test.ts has one',
    },
  },
  'clusters describe': {},
  nodegroups: {},
  'nodegroups list': {},
  'nodegroups describe': {},
  'nodegroups export': {},
  'nodegroups updates': {},
  'nodegroups update': {},
  'nodegroups wait': {},
  'nodegroups delete': {},
  'nodegroups create': {},
  'clusters create': {
    before: `for group in workers more; do holdfast nodegroups delete prod $group --yes --wait; done
holdfast clusters delete prod --yes --wait
echo 'name: prod-2' > prod.yaml`,
  },
  'clusters delete': {
    before: 'holdfast clusters delete prod --yes --wait',
    each: 'holdfast clusters create prod --wait',
  },
  completion: { before: 'mkdir -p .config/fish/completions' },
  man: { needs: ['man'] },
  'backup-state': {},
  store: {},
  down: {},
  // The following commands also work without a daemon.
  'store check': { before: 'cp -a "$(find "$HOLDFAST_HOME" -type d -name store)" store' },
  'store repair': {},
  'store trust-clock': {},
  'restore-state': {},
};

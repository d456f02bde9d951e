/**
 * Commands whose help examples run in one session and in this order, with preparations and
 * exceptions.
 */

export interface Remark {
  readonly needs?: readonly string[];
  /** Script that runs before the examples, in the same shell. */
  readonly before?: string;
  /** Script that runs before each example. */
  readonly each?: string;
  /**
   * Replacements in the examples. Each key is text of an example, and its value is the text that
   * runs instead.
   */
  readonly values?: Readonly<Record<string, string>>;
  /**
   * Examples that are not run, each with the reason. The keys do not include the comments of the
   * examples.
   */
  readonly except?: Readonly<Record<string, string>>;
}

/**
 * Replacements in the examples of all commands. Files outside of the home are created in the home
 * of the session instead.
 */
export const VALUES: Readonly<Record<string, string>> = {
  '--version-id ID': '--version-id "$ID"',
  '/tmp/': '~/',
  '/backup/': '~/',
};

/** The session has run for only a few seconds, so relative times such as `2h ago` have no data. */
const MOMENT = {
  '"2h ago"': '"$MOMENT"',
  '"1d ago"': '"$MOMENT"',
};
const FOLLOWS = 'it follows until it is interrupted; test/daemon/cli-commands.test.ts runs it';

const newestVersion = (object: string): string =>
  `ID=$(holdfast s3 versions ${object} --json | jq -r '.result.versions[0].versionId')`;

/** Removes access keys that expire, because a user can have at most two access keys. */
const removeExpiringKeys = `for key in $(holdfast admin keys list --json | jq -r '.result.keys[] | select(.expiresAt).accessKeyId')
do holdfast admin keys remove "$key" --yes; done`;

export const HELP_REMARKS: Readonly<Record<string, Remark>> = {
  job: {
    before: `mkdir -p Documents/letters Pictures/{2020,2026,cache,old} src site
for name in Documents/{plan.txt,thesis.md,letters/ann,letters/plan.txt} \\
  Pictures/{a.jpg,b.jpg,logo.png,2020/a.jpg,2026/a.jpg,cache/lock,old/a.jpg} src/main.c site/index.html a.jpg
do echo "$name" > "$name"; done
holdfast s3 mb photos`,
  },
  'job add': {
    each: `holdfast wait
for job in $(holdfast job list --json | jq -r '.result.jobs[].name'); do holdfast job remove $job --yes; done`,
  },
  'job remove': {
    before: 'holdfast job remove photos --yes',
    each: 'holdfast job add ~/Pictures --name photos --bucket pictures',
  },
  status: {
    before: `holdfast job add ~/Documents
holdfast job add ~/Pictures --name photos --bucket pictures
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
  'job list': {},
  'job queue': {},
  'job pause': {},
  'job resume': {},
  'job run': { before: 'holdfast wait' },
  'job edit': {},
  'job keep': { before: "holdfast job edit photos 'keep={all: 7d}'; holdfast wait" },
  'job review': {},
  'job reject': {},
  'job approve': {
    before: `mkdir Pictures/many; touch Pictures/many/{1..99}; holdfast wait
rm -r Pictures/many; holdfast job run photos; holdfast wait
DIGEST=$(holdfast job review photos --json | jq -r .result.digest)`,
    values: { '1f0c9be2a47d5603': '"$DIGEST"' },
    except: {
      'holdfast job approve photos':
        'it asks on a terminal; test/daemon/cli-commands.test.ts runs it',
    },
  },
  'job acknowledge': {
    before: 'touch Pictures/.holdfast; holdfast wait',
    values: { 'cache/lock': '.holdfast' },
  },
  'job accept-root': {
    before: `rm Pictures/.holdfast
mv Pictures kept; mkdir Pictures; holdfast job run photos; holdfast wait`,
  },
  'job show': { before: 'cp -a kept/. Pictures; holdfast wait' },
  'job take-over': {
    before: `echo '{"job": "theirs", "host": "attic", "root": "/theirs"}' > claim
holdfast s3 put claim pictures/.holdfast/claim; holdfast wait`,
  },
  config: {},
  'config check': { before: 'cp "$HOLDFAST_HOME/config.yaml" config.yaml' },
  'config reload': {},
  'conflict list': {
    before: `holdfast wait
for job in documents photos; do holdfast job pause $job; done
for object in documents/plan.txt documents/thesis.md documents/letters/plan.txt pictures/b.jpg
do holdfast s3 put a.jpg $object; done
for file in Documents/plan.txt Documents/thesis.md Documents/letters/plan.txt Pictures/b.jpg
do echo edited > $file; done
for job in documents photos; do holdfast job resume $job; done
holdfast wait`,
  },
  'conflict show': {},
  'conflict resolve': {},
  conflict: {},
  'lock list': {},
  'lock why': {},
  'lock release': {},
  'job forget': {},
  verify: {},
  test: {},
  'monitor alerts': {},
  'monitor alerts list': {},
  'monitor alerts test': {},
  wait: { values: { ' && poweroff': '' } },
  undo: {
    before: `MOMENT=$(date -u +%FT%T.%3NZ); sleep 1.1
echo better > Documents/thesis.md; echo better > Documents/letters/ann; holdfast wait`,
    values: { '"1d ago"': '"$MOMENT"' },
  },
  restore: {
    except: {
      'holdfast restore': 'it asks questions; test/daemon/restore-questions.test.ts answers them',
    },
    before: `MOMENT=$(date -u +%FT%T.%3NZ); sleep 1.1
echo best > Documents/letters/ann; holdfast wait`,
    values: {
      ...MOMENT,
      '"2026-11-20 14:00"': '"$MOMENT"',
      '2026-11-20T14:00:00Z': '"$MOMENT"',
    },
  },
  history: {
    before: 'holdfast wait; MOMENT=$(date -u +%FT%T.%3NZ)',
    values: { '"2h ago"': '"$MOMENT"', '"2026-11-20 14:00"': '"$MOMENT"' },
  },
  diff: {
    before: `for text in best better; do echo $text > Documents/thesis.md; holdfast wait; done`,
  },
  's3 mb': {},
  's3 rb': {},
  's3 bucket': { before: 'holdfast s3 rb archive --yes' },
  's3 bucket info': {},
  's3 bucket list': {},
  's3 bucket create': { before: 'holdfast s3 rb archive --yes' },
  's3 bucket remove': { before: 'holdfast s3 mb scratch' },
  's3 ls': {
    before: `for name in a a.jpg notes.txt logo.png 2020/a.jpg 2026/a.jpg
do holdfast s3 put a.jpg photos/$name; done`,
  },
  's3 versions': {},
  's3 get': {
    before: `holdfast s3 put a.jpg photos/notes.txt
${newestVersion('photos/notes.txt')}; mkdir got; cd got`,
  },
  's3 put': { before: 'holdfast s3 mb backups' },
  's3 cp': { before: 'holdfast s3 mb www-bucket' },
  's3 mv': {},
  's3 rm': {
    before: `holdfast s3 mv photos/2026/a.jpg photos/a.jpg
${newestVersion('photos/a.jpg')}`,
  },
  's3 encrypt': {},
  's3 encrypt new-key': { before: 'rm photos.key' },
  's3 encrypt object': { before: 'holdfast s3 put a.jpg photos/a.jpg' },
  's3 encrypt rotate': { before: 'cp photos.key old.key; holdfast s3 encrypt new-key new.key' },
  's3 encrypt remove': { before: 'holdfast s3 put a.jpg photos/a.jpg --key-file photos.key' },
  's3 info': { before: 'holdfast s3 mb images; holdfast s3 put a.jpg images/debian.qcow2' },
  's3 tag': {},
  's3 tag get': { before: 'holdfast s3 put a.jpg photos/2026/a.jpg' },
  's3 tag set': {},
  's3 tag remove': {},
  's3 meta': {},
  's3 meta get': {},
  's3 meta set': {
    before: `holdfast s3 put a.jpg www-bucket/img/a.jpg
holdfast s3 meta set photos/a.jpg --expires 2030-01-01`,
  },
  's3 link': { before: `holdfast s3 mb inbox; ${newestVersion('photos/2026/a.jpg')}` },
  'lock retention set': {
    before: 'holdfast s3 put a.jpg archive/2026/a.jpg',
    each: 'holdfast s3 put a.jpg archive/2026.tar',
  },
  'lock retention get': { before: newestVersion('archive/2026.tar') },
  'lock retention': { each: 'holdfast s3 put a.jpg archive/2026.tar' },
  'lock retention extend': {},
  'lock hold on': {},
  'lock hold get': {},
  'lock hold off': {},
  'lock hold': {},
  'lock default': {},
  'lock default get': {},
  'lock default set': {},
  'lock default remove': {},
  lock: {},
  s3: {},
  's3 versioning': {},
  's3 versioning get': {},
  's3 versioning enable': {},
  's3 versioning suspend': {},
  'admin projects add': {},
  'admin projects': {
    before: 'holdfast admin projects remove photos --yes',
    values: { 'add photos': 'add photos --again' },
  },
  'admin projects list': {},
  'admin projects set-email': {},
  'admin users': {},
  'admin users list': {},
  'admin users add': {},
  'admin users grant': { before: 'holdfast admin users add ann --again' },
  'admin users revoke': {},
  'admin users disable': { before: 'holdfast admin users add photos:eve --full-access' },
  'admin users enable': {},
  'admin groups': {},
  'admin groups list': {},
  'admin groups add': { before: 'holdfast admin groups remove admins --yes' },
  'admin groups join': { before: 'holdfast admin groups add photos:admins' },
  'admin groups grant': {},
  'admin groups revoke': {},
  'admin groups leave': {},
  'admin groups remove': {},
  'admin credentials': {
    except: {
      'eval "$(holdfast admin credentials --env)" && aws s3 ls':
        'it needs the aws cli; `npm run test:clients` runs it',
    },
  },
  'admin keys': {},
  'admin keys list': {},
  'admin keys rotate': { each: removeExpiringKeys },
  'admin keys add': { before: removeExpiringKeys },
  'admin keys remove': {
    before: 'KEY=$(holdfast admin keys add restic --json | jq -r .result.accessKeyId)',
    values: { "'holdfast:restic@local'": '"$KEY"' },
  },
  'admin whoami': {},
  's3 acl': {
    before: `holdfast admin projects add films@umbrella
holdfast admin users add films:eve@umbrella
for name in a logo.png; do holdfast s3 put a.jpg photos/$name; done`,
  },
  's3 acl get': {},
  's3 acl grant': {},
  's3 acl set': {},
  's3 acl revoke': { before: 'holdfast s3 acl grant photos/a --public' },
  's3 policy': {
    before: `echo '{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": "*",
"Action": "s3:GetObject", "Resource": "arn:aws:s3:::photos/*"}]}' > policy.json`,
  },
  's3 policy get': {},
  's3 policy set': {},
  's3 policy check': {},
  's3 policy explain': {},
  's3 policy remove': {},
  's3 public-access': {},
  's3 public-access get': {},
  's3 public-access set': {},
  's3 public-access block': {},
  's3 public-access remove': {},
  'admin users remove': {},
  'admin projects remove': {},
  's3 quota': { before: 'holdfast admin projects add shop' },
  's3 quota get': {},
  's3 quota set': {},
  'monitor metrics': {},
  'monitor metrics on': {},
  'monitor alarms': {},
  'monitor alarms add': {
    before: `holdfast monitor alarms remove too-full --yes
umask 077; echo 'Authorization: Bearer secret' > hook.header`,
  },
  'monitor alarms list': {},
  monitor: {},
  'monitor alarms get': {},
  'monitor alarms history': {},
  'monitor alarms test': {
    // A notification needs a program that the computer may not have.
    before:
      'holdfast monitor alarms add too-full --bucket photos --threshold 500GB --on-alarm log --replace',
  },
  'monitor alarms set-state': {},
  'monitor alarms acknowledge': {},
  'monitor alarms remove': {},
  'monitor metrics off': {},
  's3 website': {
    before: `holdfast s3 mb pages
for name in index.html start.html 404.html; do holdfast s3 put site/index.html pages/$name; done`,
  },
  's3 website get': {},
  's3 website set': {
    before: `holdfast s3 mb old-pages
echo '[{"Condition": {"KeyPrefixEquals": "docs/"}, "Redirect": {"ReplaceKeyPrefixWith": "documents/"}}]' > rules.json`,
  },
  's3 website remove': {},
  's3 cors': {},
  's3 cors get': {},
  's3 cors set': {},
  's3 cors add': {},
  's3 cors remove': {},
  's3 lifecycle': {},
  's3 lifecycle set': {
    before: `echo '<LifecycleConfiguration><Rule><ID>old</ID><Status>Enabled</Status><Filter/>' \\
'<Expiration><Days>30</Days></Expiration></Rule></LifecycleConfiguration>' > rules.xml`,
  },
  's3 lifecycle get': {},
  's3 lifecycle add': { before: 'holdfast s3 mb logs' },
  's3 lifecycle on': {},
  's3 lifecycle off': {},
  's3 lifecycle remove': {},
  's3 lifecycle preview': {},
  's3 lifecycle run': {},
  's3 lifecycle runs': {},
  cluster: {},
  'cluster services': {},
  'cluster list': {
    except: {
      'holdfast cluster list --service datacentre --json':
        'it names a remote service; test/daemon/cluster-commands.test.ts has one',
    },
  },
  'cluster describe': {},
  'cluster nodegroups': {},
  'cluster nodegroups list': {},
  'cluster nodegroups describe': {},
  'cluster nodegroups export': {},
  'cluster nodegroups updates': {},
  'cluster nodegroups update': {},
  'cluster nodegroups wait': {},
  'cluster nodegroups delete': {},
  'cluster nodegroups create': {},
  'cluster create': {
    before: `for group in workers more; do holdfast cluster nodegroups delete prod $group --yes --wait; done
holdfast cluster delete prod --yes --wait
echo 'name: prod-2' > prod.yaml`,
  },
  'cluster delete': {
    before: 'holdfast cluster delete prod --yes --wait',
    each: 'holdfast cluster create prod --wait',
  },
  completion: { before: 'mkdir -p .config/fish/completions', needs: ['man'] },
  help: {},
  version: {},
  target: {
    before: `credential() { holdfast admin credentials --show-secret --json | jq -r .result.$1; }
holdfast admin credentials --show-secret --json | jq '.result | {accessKeyId, secretAccessKey}' > key.json; chmod 600 key.json
holdfast target add offsite $(credential endpointUrl) --credentials key.json`,
  },
  'target list': {},
  'target test': {},
  'target set-key': {
    except: {
      "holdfast target set-key offsite --credentials-command 'pass show offsite'":
        'it needs a password manager; test/unit/cli/target-arguments.test.ts runs a program',
    },
    before: 'ID=$(jq -r .accessKeyId key.json) SECRET=$(jq -r .secretAccessKey key.json)',
    values: {
      'ACCESS_KEY_ID=…': 'ACCESS_KEY_ID="$ID"',
      'SECRET_ACCESS_KEY=…': 'SECRET_ACCESS_KEY="$SECRET"',
    },
  },
  'target rename': {},
  'target remove': { before: 'holdfast target rename frankfurt offsite' },
  'admin backup-state': {},
  'admin store': {},
  admin: {},
  down: {},
  // The following commands work without a daemon, too.
  'admin store check': { before: 'cp -a "$(find "$HOLDFAST_HOME" -type d -name store)" store' },
  'admin store repair': {},
  'admin store trust-clock': {},
  'admin restore-state': {},
};

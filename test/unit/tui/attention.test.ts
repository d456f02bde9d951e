/** Tests that the header and the attention pane count the same alarms, alerts and conflicts. */

import { onTestFinished, expect, test } from 'vitest';

import { FakeClock } from '../../helpers/fake-clock.ts';
import { jobAnswers, jobsStatus } from '../../helpers/tui/job-seeds.ts';
import { metricAnswers, seededAlarm } from '../../helpers/tui/metric-seeds.ts';
import { SeededDaemon } from '../../helpers/tui/seeded-daemon.ts';
import type { Answers } from '../../helpers/tui/seeded-daemon.ts';
import { TestScreen } from '../../helpers/tui/screen.ts';
import { NOW, seededJob } from '../../helpers/tui/seeds.ts';

type Alerts = Awaited<ReturnType<NonNullable<Answers['alerts.list']>>>;

const HELD: Alerts = {
  alerts: [{ job: 'media', kind: 'held', reason: 'held for 2 h', since: NOW - 7_200_000 }],
};

async function start(answers: Answers = {}) {
  const daemon = new SeededDaemon({
    ...jobAnswers,
    ...metricAnswers,
    status: () => ({ ...jobsStatus(), alarms: [seededAlarm()] }),
    'alerts.list': () => HELD,
    ...answers,
  });
  const clock = new FakeClock(NOW);
  const screen = await new TestScreen({ columns: 120, clock, connect: daemon.connect }).start();
  onTestFinished(() => screen.close());
  await screen.tick();
  const header = () => screen.text().split('\n')[0] ?? '';
  return { daemon, screen, header };
}

test('the dashboard shows no count in the header before both alarms and alerts are loaded', async () => {
  const answer = Promise.withResolvers<Alerts>();
  const { screen, header } = await start({ 'alerts.list': () => answer.promise });
  expect(header()).toContain('running');
  expect(header()).not.toMatch(/alarm|alert|conflict/);
  expect(screen.text()).not.toContain('Attention');
  answer.resolve(HELD);
  await screen.tickUntil('1 alarm');
  expect(header()).toMatch(/! 1 alarm, 1 alert$/);
  expect(screen.text()).toContain('─ Attention  2 ─');
});

test('the dashboard shows the alerts in the header of any screen as soon as the daemon is connected', async () => {
  const daemon = new SeededDaemon({ ...jobAnswers, 'alerts.list': () => HELD });
  daemon.stop();
  const screen = await new TestScreen({ connect: daemon.connect }).start();
  onTestFinished(() => screen.close());
  await screen.press('3');
  daemon.down = undefined;
  await screen.press('r');
  await screen.tick();
  expect(screen.text().split('\n')[0]).toContain('! 1 alert');
});

test('the dashboard counts a held job as an alert, and counts only alarms that the metrics screen lists', async () => {
  const { screen, header } = await start();
  await screen.press('6');
  const lines = (await screen.tickUntil('too-full')).split('\n');
  expect(lines.filter((line) => /too-full +ALARM /.test(line))).toHaveLength(1);
  expect(header()).toMatch(/! 1 alarm, 1 alert$/);
});

test('the dashboard opens an alarm of the first screen in the metrics tab, and Esc returns to the first screen', async () => {
  const { screen } = await start({
    'alarms.get': () => seededAlarm(),
    'alarms.history': () => ({ entries: [] }),
  });
  await screen.press('j enter');
  const tabs = (text: string) => text.split('\n')[1];
  expect(tabs(await screen.waitFor('metrics › alarms'))).toContain('[6 Metrics]');
  await screen.press('esc');
  expect(tabs(await screen.waitFor('Attention  2'))).toContain('[1 Dash]');
});

test('the dashboard lists an acknowledged alarm but counts it neither in the header nor in the attention pane', async () => {
  const alarm = seededAlarm({ acknowledgedAt: NOW });
  const { screen, header } = await start({
    status: () => ({ ...jobsStatus(), alarms: [alarm] }),
  });
  expect(header()).toMatch(/! 1 alert$/);
  expect(screen.text()).toContain('─ Attention  1 ─');
  expect(screen.text()).toContain('logs: average size of the bucket > 1 TB');
});

test('the dashboard reports alerts that cannot be loaded as unknown in the header', async () => {
  const { screen, header } = await start({
    'alerts.list': () => Promise.reject(new Error('cannot read alerts.json')),
  });
  expect(header()).toContain('! 1 alarm, alerts unknown');
  expect(screen.text()).toContain('alerts: cannot read alerts.json');
});

test('the dashboard counts a job in the header exactly as long as the job holds changes for review', async () => {
  const media = seededJob({ name: 'media' });
  const alert = { alerts: [{ job: 'media', kind: 'held', reason: 'held for 1 min', since: NOW }] };
  const { screen, daemon, header } = await start({
    status: () => jobsStatus([media]),
    'alerts.list': () => ({ alerts: [] }),
  });
  expect(header()).not.toContain('!');
  const held = { ...media.counts, held: 36 };
  daemon.emit({ type: 'job.changed', job: { ...media, state: 'held', counts: held } });
  await screen.tick();
  expect(header()).toMatch(/! 1 alert$/);
  expect(screen.text()).toContain('media: 36 changes held for review');
  daemon.replace('alerts.list', () => alert);
  await screen.ui.alerts.refresh();
  await screen.tick();
  expect(header()).toMatch(/! 1 alert$/);
  expect(screen.text()).toContain('media: held for 1 min');
  daemon.emit({ type: 'job.changed', job: media });
  await screen.tick();
  expect(header()).not.toContain('!');
});

test('the dashboard shows the whole reason of the selected attention row on several lines at 80×24', async () => {
  const reason =
    '1,204 of 3,100 files were deleted within 10 minutes, more than the limit of 310; the objects stay in the bucket until the deletes are approved or rejected';
  const { screen } = await start({
    'alerts.list': () => ({ alerts: [{ job: 'media', kind: 'held', reason, since: NOW }] }),
  });
  await screen.resize(80, 24);
  const pane = () => {
    const lines = screen.text().split('\n');
    const first = lines.findIndex((line) => line.includes('Attention'));
    const last = lines.findIndex((line) => line.includes('─ Jobs'));
    return lines.slice(first + 1, last).map((line) => line.slice(1, -1));
  };
  expect(pane()).toHaveLength(4);
  expect(pane().at(-1)).toMatch(/^ {2}6 +bucket logs/);
  expect(pane()[0]).toMatch(/^❯ a +media: 1,204 of/);
  const whole = pane()
    .slice(0, 3)
    .map((line) => line.slice(7).trim());
  expect(whole.join(' ')).toBe(`media: ${reason}`);
  await screen.press('j');
  expect(pane()[0]).toMatch(/^ {2}a +media: 1,204 of .*…$/);
  expect(pane()[1]).toMatch(/^❯ 6 +bucket logs/);
  expect(pane()).toHaveLength(4);
});

test('the dashboard shows no count in the header and no attention pane if nothing needs attention', async () => {
  const { screen, header } = await start({
    status: () => jobsStatus([seededJob()]),
    'alerts.list': () => ({ alerts: [] }),
  });
  expect(header()).not.toContain('!');
  expect(screen.text()).not.toContain('Attention');
});

test('the dashboard shows in each row of the attention pane the key that opens the screen for the problem', async () => {
  const { counts } = seededJob();
  const proof = {
    drillFailures: 2,
    verifiedShare: 1,
    damaged: 0,
    damagedEarlier: 0,
    bytesPerDay: 0,
  };
  const jobs = [
    seededJob({ name: 'notes', counts: { ...counts, conflicts: 3 } }),
    seededJob({ name: 'media', state: 'held', counts: { ...counts, held: 9 } }),
    seededJob({ name: 'disk', state: 'no room', reason: 'the disk is full' }),
    seededJob({ name: 'tested', proof }),
  ];
  const { screen } = await start({
    status: () => ({ ...jobsStatus(jobs), alarms: [seededAlarm()] }),
    'alerts.list': () => ({ alerts: [] }),
  });
  const lines = screen.text().split('\n');
  const rows = [
    /4 +notes: 3 conflicts to resolve/,
    /a +media: 9 changes held for review/,
    /w +disk: at risk: no room: the disk is full/,
    /w +tested: 2 files failed the last restore test/,
    /6 +bucket logs: /,
  ];
  for (const row of rows) expect(lines.some((line) => row.test(line))).toBe(true);
  await screen.press('a');
  await screen.waitFor('films/0000.mkv');
  await screen.press('esc j w');
  await screen.waitFor('Why is disk no room?');
  await screen.press('esc 4');
  expect((await screen.waitFor('[4 Conflicts(3)]')).split('\n')[1]).toContain('[4 Conflicts(3)]');
});

test('the dashboard reports the files of rejected deletes, and the keys that restore them', async () => {
  const brake = { rejectedOverwrites: 0, rejectedDeletes: 57 };
  const { screen } = await start({
    status: () => jobsStatus([seededJob({ brake })]),
    'alerts.list': () => ({ alerts: [] }),
  });
  expect(screen.text()).toMatch(
    /w +photos: 57 files are only in the bucket, because their deletion/,
  );
  await screen.press('w');
  const text = await screen.waitFor('press Esc, then t, then F, to restore the files');
  expect(text).toContain('57 files only in the bucket');
  expect(text).not.toContain('The bucket contains all files of the folder.');
});

test('the dashboard gives the keyboard focus to the attention pane first, and to the list of jobs once nothing needs attention', async () => {
  const { screen, daemon } = await start({
    status: () => jobsStatus([seededJob({ state: 'held' })]),
  });
  await screen.press('p');
  expect(daemon.lastOf('jobs.pause')).toEqual({ name: 'photos' });
  daemon.emit({ type: 'job.changed', job: seededJob() });
  daemon.replace('alerts.list', () => ({ alerts: [] }));
  await screen.tick(10_000);
  await screen.tick();
  expect(screen.text()).not.toContain('Attention');
  expect(screen.text()).toContain('❯ photos');
});

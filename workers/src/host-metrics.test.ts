import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemContext } from '@selvage/core/context/context';
import { createHostMetrics } from '@selvage/core/monitoring/host-metrics';
import { allJobs } from '@selvage/core/jobs/all-jobs';
import { startJobWorkers } from '@selvage/core/jobs/processor';
import { noteProofs } from '@selvage/core/ledger/proof-metrics';
import { collectProcessMetrics, type MetricsJson, metrics } from '@selvage/core/metrics';
import { KeptMetrics } from '@selvage/core/cluster/kept-metrics';
import { beforeAll, describe, expect, it } from 'vitest';
import { testApp } from '../../tests/support/test-app.ts';

/*
 * The dashboard, the alert rules and the page about them name metrics and labels. Here all of these
 * are compared with what the processes of a host serve.
 */
const top = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(top, path), 'utf8');
const rules = read('ops/metrics/alerts.yml');
const page = read('ops/docs/MONITORING.md');

interface Panel {
  title: string;
  type: string;
  targets?: { expr: string; datasource: { uid: string } }[];
}
const dashboard = JSON.parse(read('ops/metrics/dashboard.json')) as {
  panels: Panel[];
  templating: { list: { name: string; type: string; query: unknown }[] };
};

/** One alert of the rules, which are written in one shape: that is all the YAML there is. */
interface Alert {
  alert: string;
  expr: string;
  for: string;
  severity: string;
  summary: string;
  description: string;
}

const quoted = `'((?:[^']|'')*)'`;
const shape = new RegExp(
  `^      - alert: (\\w+)\\n        expr: ${quoted}\\n        for: (\\d+[mhd])\\n` +
    `        labels: \\{ severity: (\\w+) \\}\\n        annotations:\\n` +
    `          summary: ${quoted}\\n          description: ${quoted}\\n`,
  'gm',
);
const unquote = (text = ''): string => text.replaceAll("''", "'");
const alerts = [...rules.matchAll(shape)].map(
  ([, alert = '', expr, wait = '', severity = '', summary, description]): Alert => ({
    alert,
    expr: unquote(expr),
    for: wait,
    severity,
    summary: unquote(summary),
    description: unquote(description),
  }),
);

const queries = [
  ...alerts.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
];

let served: Map<string, { labels: Set<string>; help: string; type: string }>;
let atStart: MetricsJson;

/** The labels that a metric can have, as far as its declaration says so. */
function labelsOf(metric: object): string[] {
  return 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [];
}

beforeAll(async () => {
  const app = await testApp();
  collectProcessMetrics();
  atStart = await metrics.getMetricsAsJSON();
  // Its gauges are made at the first proof
  await noteProofs(systemContext(app));
  const ofHost = await createHostMetrics(app)();
  const kept = await new KeptMetrics().sum(new Map());
  served = new Map(
    [...metrics.getMetricsAsArray(), ...ofHost.getMetricsAsArray()].map((metric) => [
      metric.name,
      { labels: new Set(labelsOf(metric)), help: metric.help, type: String(metric.type) },
    ]),
  );
  for (const [, name = '', help = ''] of kept.matchAll(/^# HELP (\S+) (.+)$/gm))
    served.set(name, { labels: new Set(), help, type: 'counter' });
  served.set('up', { labels: new Set(), help: 'Prometheus', type: 'gauge' });
});

/** The metric behind a name in a query: a histogram is asked by its parts. */
function metricOf(name: string): { labels: Set<string> } | undefined {
  return served.get(name) ?? served.get(name.replace(/_(bucket|count|sum)$/, ''));
}

const ofPrometheus = new Set(['job', 'instance', 'program', 'le']);

describe('the metrics of a host', () => {
  it('are served under every name that the dashboard and the rules use, with every label', () => {
    const unknown: string[] = [];
    expect(queries.length).toBeGreaterThan(50);
    for (const query of queries) {
      const names = [...query.matchAll(/\b(?:selvage|process|nodejs)_\w+|\bup\b/g)].map(([name]) => name);
      expect(names).not.toEqual([]);
      const known = new Set(names.flatMap((name) => [...(metricOf(name)?.labels ?? [`no ${name}`])]));
      unknown.push(...[...known].filter((label) => label.startsWith('no ')));
      const selectors = [...query.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = '']) =>
        [...inner.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)].map(([, label = '']) => label),
      );
      const groups = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, inner = '']) => inner.split(/,\s*/));
      for (const label of [...selectors, ...groups])
        if (!known.has(label) && !ofPrometheus.has(label)) unknown.push(`${label} in ${query}`);
    }
    expect(unknown).toEqual([]);
  });

  it('have names and units as Prometheus asks, and a help text', () => {
    for (const [name, { help, type }] of [...served].filter(([one]) => one.startsWith('selvage_'))) {
      expect(help.length).toBeGreaterThan(12);
      expect(name).toMatch(/^selvage(_[a-z]+)+$/);
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|hours|days|mb|kb|megabytes)(_|$)/);
    }
  });

  it('stand all on the page about them, and nothing else does', () => {
    const ours = [...served.keys()].filter((name) => name.startsWith('selvage_')).toSorted();
    const described = [...page.matchAll(/^\| `(selvage_\w+)/gm)].map(([, name = '']) => name).toSorted();
    expect(described).toEqual(ours);
  });

  it('are all known to this test, also those that a process makes later', () => {
    const sources = globSync('{core,mta,workers,admin-api}/src/**/*.ts', { cwd: top, exclude: ['**/*.test.ts'] });
    const made = sources.flatMap((path) =>
      [...read(path).matchAll(/(?:name: |gauge\(\s*)'(selvage_\w+)'/g)].map(([, name = '']) => name),
    );
    expect(made.length).toBeGreaterThan(30);
    expect(made.filter((name) => !served.has(name))).toEqual([]);
  });

  it('say of every job that it has not failed yet', async () => {
    const app = await testApp();
    const run = async (): Promise<void> => undefined;
    const workers = startJobWorkers(
      app,
      allJobs.map((contract) => ({ contract, run })),
    );
    await workers.close();
    const json: MetricsJson = await metrics.getMetricsAsJSON();
    const values = json.find(({ name }) => name === 'selvage_job_failures_total')?.values ?? [];
    expect(values.map(({ labels }) => labels['job_name'])).toEqual(
      expect.arrayContaining(allJobs.map(({ name }) => name)),
    );
  });
});

describe('the alert rules', () => {
  it('find a number from the start of each process where one rise is enough for an alarm', async () => {
    const counters = alerts.flatMap(({ expr }) => /^increase\((\w+)\[\w+\]\) > 0$/.exec(expr)?.[1] ?? []);
    expect(counters).toContain('selvage_damaged_blobs_total');
    const program = new KeptMetrics();
    program.begin(1);
    const text = await program.sum(new Map([[1, atStart]]));
    expect(counters.filter((name) => !new RegExp(`^${name}(\\{.*\\})? 0$`, 'm').test(text))).toEqual([]);
    const damages = atStart.find(({ name }) => name === 'selvage_damaged_blobs_total')?.values ?? [];
    expect(damages.map(({ labels }) => labels['problem'])).toEqual([
      'missing',
      'truncated',
      'changed',
      'unreadable',
      'read',
    ]);
  });

  it('are all in the shape that this test reads', () => {
    expect(alerts).toHaveLength(rules.split('- alert:').length - 1);
    const rest = rules.replaceAll(shape, '').split('\n');
    expect(rest.filter((line) => !/^(#.*|groups:|  - name: selvage-\w+|    rules:|)$/.test(line))).toEqual([]);
  });

  it('have names of their own, a severity and texts', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { alert, severity, summary, description } of alerts) {
      expect(alert).toMatch(/^Selvage[A-Z]/);
      expect(['warning', 'critical']).toContain(severity);
      expect(summary).toMatch(/^.{15,120}$/);
      expect(description).toMatch(/\.$/);
    }
  });

  it.each([
    ['the age of the queue', 'selvage_deliveries_oldest_seconds'],
    ['refusals by their reason', 'by (reason) (increase(selvage_mail_events_total{event=~"rejected|deferred"}'],
    ['jobs that fail', 'selvage_job_failures_total'],
    ['room on the disks', 'selvage_disk_free_bytes'],
    ['the end of the certificate', 'selvage_certificate_expiry_timestamp_seconds'],
    ['mail that is not accounted for', 'selvage_ledger_difference'],
    ['a ledger that is not proved', 'selvage_ledger_proof_age_seconds'],
  ])('watch %s', (_what, metric) => {
    expect(alerts.filter(({ expr }) => expr.includes(metric))).not.toEqual([]);
  });

  it('are each explained on the page about them', () => {
    const explained = [...page.matchAll(/^\| `(Selvage\w+)`/gm)].map(([, name = '']) => name);
    expect(explained.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });
});

describe('the dashboard', () => {
  it('takes its data from the source that the person chooses', () => {
    expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource', query: 'prometheus' });
    const sources = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ datasource }) => datasource.uid));
    expect(new Set(sources)).toEqual(new Set(['${datasource}']));
  });

  it('shows every metric of the host', () => {
    const text = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n');
    const absent = [...served.keys()].filter((name) => name.startsWith('selvage_') && !text.includes(name));
    expect(absent).toEqual([]);
  });

  it('is the only one there', () => {
    expect(globSync('ops/metrics/*', { cwd: top }).toSorted()).toEqual([
      'ops/metrics/alerts.yml',
      'ops/metrics/dashboard.json',
    ]);
  });
});

import type { HubStatus } from '../operation.ts';

/** Counts what the server answers, for Prometheus. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Upper bounds of the histogram's buckets, in seconds: from answers out of memory to ones nobody waits for. */
const BOUNDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 60];

export function createMetrics() {
  const counts = new Map<string, number>();
  const times = new Map<string, { buckets: number[]; sum: number; count: number }>();
  return {
    /** `route` is one of a few patterns, never an address. */
    answered(route: string, status: number, seconds: number): void {
      const key = labels({ route, status: String(status) });
      counts.set(key, (counts.get(key) ?? 0) + 1);
      const time = times.get(route) ?? { buckets: BOUNDS.map(() => 0), sum: 0, count: 0 };
      times.set(route, time);
      BOUNDS.forEach((bound, i) => {
        if (seconds <= bound) time.buckets[i] = (time.buckets[i] ?? 0) + 1;
      });
      time.sum += seconds;
      time.count++;
    },
    /** The text format, https://prometheus.io/docs/instrumenting/exposition_formats/. */
    text(status: HubStatus, { now, databaseMs }: { now: Date; databaseMs: number }): string {
      const oldest = Math.min(...status.repositories.map(({ syncedAt }) => syncedAt?.getTime() ?? 0));
      const failing = status.repositories.filter(({ failures }) => failures > 0);
      const { repositories } = status;
      const withheld = repositories.reduce((total, one) => total + one.withheld, 0);
      const elsewhere = repositories.filter(({ withheldBy }) => withheldBy.length > 0).length;
      const age = Number.isFinite(oldest) ? Math.max(0, (now.getTime() - oldest) / 1000) : 0;
      const gauges: [name: string, help: string, value: number][] = [
        ['repositories', 'Repositories in the hub.', repositories.length],
        ['records', 'Active records in the hub.', status.records],
        ['failing', 'Repositories whose last sync failed.', failing.length],
        ['syncing', 'Repositories that workers sync at this moment.', status.syncing],
        ['waiting', 'Repositories that wait for a worker.', status.waiting],
        ['wait_seconds', 'How long the first of them has waited.', status.oldestWaitSeconds],
        ['withheld', 'Records that redactions withhold.', withheld],
        ['withheld_elsewhere', 'Repositories with records that another repository redacts.', elsewhere],
        ['rights_age_seconds', 'Time since a right was last confirmed.', status.rightsAgeSeconds],
        ['database_bytes', 'Size of the database.', status.databaseBytes],
        ['oldest_sync_seconds', 'Age of the oldest sync of a repository.', age],
        ['memory_bytes', 'Resident memory of this process.', process.memoryUsage.rss()],
      ];
      const lines = gauges.flatMap(([name, help, value]) => [
        ...head(name, help, 'gauge'),
        `git_mem_hub_${name} ${value}`,
      ]);
      lines.push(...head('database_seconds_total', 'Time spent waiting for the database.', 'counter'));
      lines.push(`git_mem_hub_database_seconds_total ${databaseMs / 1000}`);
      lines.push(...head('requests_total', 'Answered requests.', 'counter'));
      for (const [key, value] of counts) lines.push(`git_mem_hub_requests_total${key} ${value}`);
      const name = 'git_mem_hub_request_seconds';
      lines.push(...head('request_seconds', 'Time until the answer.', 'histogram'));
      for (const [route, { buckets, sum, count }] of times) {
        BOUNDS.forEach((bound, i) => {
          lines.push(`${name}_bucket${labels({ route, le: String(bound) })} ${buckets[i] ?? 0}`);
        });
        lines.push(`${name}_bucket${labels({ route, le: '+Inf' })} ${count}`);
        lines.push(`${name}_sum${labels({ route })} ${sum}`, `${name}_count${labels({ route })} ${count}`);
      }
      return `${lines.join('\n')}\n`;
    },
  };
}

function head(name: string, help: string, type: string): string[] {
  return [`# HELP git_mem_hub_${name} ${help}`, `# TYPE git_mem_hub_${name} ${type}`];
}

function labels(values: Record<string, string>): string {
  const all = Object.entries(values).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, '\\$&')}"`);
  return `{${all.join(',')}}`;
}

// Stands in for the database until it can be opened: what is served is tested on it, and on nothing else.

import { randomBytes } from 'node:crypto';
import { GitMemError } from '../../src/errors.ts';
import type { AuditEntry, Hub, HubCard, HubFilter, HubRecord, HubToken, Viewer } from '../../src/hub/port.ts';
import type { Observation } from '../../src/memory/record.ts';
import { recordFile } from '../../src/memory/store/store.ts';

const NO_STATE = {
  superseded_by: [],
  retired: false,
  redacted: false,
  pinned: false,
  verified: false,
  disputed: false,
};

export function standIn(repos: Record<string, { teams?: string[]; records: Observation[] }>, now: () => Date): Hub {
  const names = Object.keys(repos);
  const principals: { subject: string; name: string }[] = [];
  let access: { source: string; principal: number; repo: number; at: Date }[] = [];
  const tokens: (HubToken & { secret: string })[] = [];
  const sessions = new Map<string, { principal: number; expires: Date }>();
  const audit: (AuditEntry & { at: Date })[] = [];
  const nameOf = (i: number) => names[i] ?? '';
  const all: HubRecord[] = names.flatMap((repository) =>
    (repos[repository]?.records ?? []).map(
      (record): HubRecord => ({
        repository,
        id: record.id,
        kind: record.kind,
        type: record.type,
        title: record.title,
        excerpt: record.narrative.slice(0, 200),
        created: record.generated.at,
        author: 'claude-code',
        session: record.session ?? null,
        branch: record.branch ?? null,
        concepts: record.concepts,
        files: [...record.files_modified, ...record.files_read],
        path: `.memory/${recordFile(record).path}`,
        trust: 'reviewed',
        freshness: 'fresh',
        state: NO_STATE,
        record,
        head: 'abc',
      }),
    ),
  );
  const seen = (v: Viewer, f: HubFilter = {}) =>
    all
      .filter((one) => v.repositories.includes(names.indexOf(one.repository)))
      .filter((one) => !f.repository || f.repository.includes(one.repository))
      .filter((one) => !f.type || f.type.includes(one.type))
      .filter((one) => (!f.since || one.created >= f.since) && (!f.until || one.created <= f.until))
      .sort((a, b) => (a.created < b.created ? 1 : -1));
  const card = ({ record: _, head: __, ...c }: HubRecord): HubCard => c;
  const facet = (values: string[]) => {
    const m = new Map<string, number>();
    for (const v of values) m.set(v, (m.get(v) ?? 0) + 1);
    return [...m].map(([name, count]) => ({ name, count }));
  };
  return {
    engine: 'pglite',
    async viewerOf(principal, scopes = ['read']) {
      const own = access.filter((a) => a.principal === principal && now().getTime() - a.at.getTime() < 3_600_000);
      if (own.length === 0) throw new GitMemError('refused', 'Nobody has confirmed your rights within the hour.');
      return {
        principal,
        name: principals[principal]?.name ?? '',
        repositories: [...new Set(own.map((a) => a.repo))],
        rightsAt: own[0]?.at ?? now(),
        scopes,
      };
    },
    async repositories(v) {
      return v.repositories
        .map((i) => ({
          name: nameOf(i),
          teams: repos[nameOf(i)]?.teams ?? [],
          url: `https://forge.example/${names[i]}`,
          head: 'abc',
          records: all.filter((r) => r.repository === names[i]).length,
        }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async search(v, { text, filter, limit }) {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      const found = seen(v, filter).filter(
        (r) => words.length === 0 || words.some((w) => `${r.title} ${r.excerpt}`.toLowerCase().includes(w)),
      );
      return {
        hits: found.slice(0, limit).map((r) => ({ ...card(r), score: 1, confidence: 1, also: [] })),
        total: found.length,
        tookMs: 1,
      };
    },
    async records(v, repository, ids) {
      return seen(v, { repository: [repository] }).filter((r) => ids.includes(r.id));
    },
    async feed(v, filter, { offset, limit }) {
      const found = seen(v, filter);
      return { total: found.length, items: found.slice(offset, offset + limit).map(card) };
    },
    async facets(v, filter) {
      const f = seen(v, filter);
      return {
        repository: facet(f.map((r) => r.repository)),
        team: [],
        type: facet(f.map((r) => r.type)),
        concept: facet(f.flatMap((r) => r.concepts)),
        author: [],
        trust: facet(f.map((r) => r.trust)),
        freshness: facet(f.map((r) => r.freshness)),
      };
    },
    async insight(v) {
      return v.repositories.map((i) => ({
        repository: nameOf(i),
        teams: repos[nameOf(i)]?.teams ?? [],
        records: seen(v, { repository: [nameOf(i)] }).length,
        stale: 0,
        unreviewed: 0,
        unused: 0,
        disputed: 0,
        types: facet(seen(v, { repository: [nameOf(i)] }).map((r) => r.type)),
      }));
    },
    async principal(subject, name) {
      const at = principals.findIndex((p) => p.subject === subject);
      return at >= 0 ? at : principals.push({ subject, name }) - 1;
    },
    async putAccess(source, entries, at, { complete = false } = {}) {
      const whose = new Set(entries.map((e) => e.principal));
      access = access.filter((a) => a.source !== source || (!complete && !whose.has(a.principal)));
      for (const e of entries)
        for (const r of e.repositories)
          if (names.includes(r)) access.push({ source, principal: e.principal, repo: names.indexOf(r), at });
    },
    async createToken(t) {
      const secret = `gmh_${randomBytes(24).toString('base64url')}`;
      const id = randomBytes(4).toString('hex');
      tokens.push({ ...t, id, secret, created: now() });
      return { id, secret };
    },
    async tokenOf(secret) {
      return tokens.find((t) => t.secret === secret && t.expires > now());
    },
    async tokens() {
      return tokens;
    },
    async revokeToken(id) {
      const at = tokens.findIndex((t) => t.id === id);
      if (at >= 0) tokens.splice(at, 1);
      return at >= 0;
    },
    async createSession(principal, expires) {
      const secret = randomBytes(24).toString('base64url');
      sessions.set(secret, { principal, expires });
      return secret;
    },
    async sessionOf(secret) {
      const s = sessions.get(secret);
      return s && s.expires > now() ? s.principal : undefined;
    },
    async endSession(secret) {
      sessions.delete(secret);
    },
    async note(entry) {
      audit.push({ ...entry, at: now() });
    },
    async audit(most) {
      return audit.slice(-most);
    },
    async retain() {
      return 0;
    },
    async requestSync(repository) {
      return names.includes(repository);
    },
    async status() {
      return {
        repositories: names.map((name) => ({ name, records: 0, bytes: 0, head: '', failures: 0 })),
        records: all.length,
        waiting: 0,
        oldestWaitSeconds: 0,
        databaseBytes: 0,
      };
    },
    async close() {},
  };
}

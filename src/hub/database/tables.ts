/**
 * Makes a repository due. One that is already due keeps its place but gets another time, which tells a running sync that it
 * has to run again.
 */
export const DUE_NOW = "wanted_at = least(wanted_at - interval '1 microsecond', now())";

/**
 * The tables of the first version. Every key includes the repository, so that a repository's rows can lie together on one
 * of many servers. Words, cited paths (`/src/a.ts`) and co-cited files are looked up in postings: the rows of one repository
 * that have them. A general text index does not know repositories: a word that is rare among a reader's records may be
 * common among all.
 */
export const TABLES = `
CREATE TABLE repository (
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE, url text NOT NULL, teams text[] NOT NULL DEFAULT '{}',
  -- The indexed commit, and the tree of its memory; empty before the first sync.
  head text NOT NULL DEFAULT '', memory text NOT NULL DEFAULT '',
  -- Counts over its rows: all, active observations and summaries, tokens in each field, bytes of files.
  documents integer NOT NULL DEFAULT 0, records integer NOT NULL DEFAULT 0,
  lengths bigint[] NOT NULL DEFAULT '{0,0,0,0,0}', bytes bigint NOT NULL DEFAULT 0,
  next_row integer NOT NULL DEFAULT 1,
  -- Incremented by every sync that commits: one that worked from older rows is refused.
  version integer NOT NULL DEFAULT 0,
  synced_at timestamptz, wanted_at timestamptz,
  -- How long the last sync that found something new took.
  sync_ms integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0, problem text
);
CREATE INDEX repository_wanted ON repository (wanted_at) WHERE wanted_at IS NOT NULL;

CREATE TABLE record (
  repository integer NOT NULL REFERENCES repository ON DELETE CASCADE,
  -- Never reused within a repository.
  row integer NOT NULL,
  -- The blob, whose content never changes.
  oid text NOT NULL,
  path text NOT NULL, id text COLLATE "C" NOT NULL, kind text NOT NULL, type text NOT NULL, author text NOT NULL,
  -- ISO 8601, UTC.
  created text COLLATE "C" NOT NULL,
  session text, prompt integer, concepts text[] NOT NULL, files text[] NOT NULL, record jsonb NOT NULL,
  -- Token streams, one per field, and how many tokens each has.
  terms text[] NOT NULL, lengths integer[] NOT NULL, length integer NOT NULL,
  -- The vector of its words' spelling, as the ranking takes it, in base64.
  spelling text NOT NULL,
  bytes integer NOT NULL,
  -- Keyed hashes of its sentences, to detect that it repeats a redacted record.
  prints bigint[] NOT NULL,
  freshness text NOT NULL,
  -- From all marks of the repository together.
  state jsonb NOT NULL,
  hidden boolean NOT NULL,
  PRIMARY KEY (repository, row)
);
CREATE UNIQUE INDEX record_oid ON record (oid, repository);
CREATE INDEX record_id ON record (repository, id);
CREATE INDEX record_created ON record (repository, created DESC, id DESC);
CREATE INDEX record_mark ON record (repository) WHERE kind = 'mark';
-- Includes what the order within a session needs: one question looks up hundreds of sessions.
CREATE INDEX record_session ON record (repository, session) INCLUDE (row, created, prompt, id)
  WHERE session IS NOT NULL AND kind <> 'mark';

-- No foreign key: its check took as long as the row itself. \`takeOver\` removes the rows of a removed repository.
CREATE TABLE posting (
  key text COLLATE "C" NOT NULL, repository integer NOT NULL, rows integer[] NOT NULL, PRIMARY KEY (key, repository)
);
CREATE INDEX posting_repository ON posting (repository);

-- Records of a repository's tree that a redaction keeps out of the index; none of their text is stored.
CREATE TABLE withheld (
  repository integer NOT NULL REFERENCES repository ON DELETE CASCADE,
  oid text NOT NULL, id text NOT NULL, kind text NOT NULL,
  -- Named by a mark of this repository: the blob is withheld wherever it occurs.
  target boolean NOT NULL,
  -- Withheld because another repository redacts the same blob.
  elsewhere boolean NOT NULL,
  prints bigint[] NOT NULL,
  -- What it says about other records, which still counts.
  statement jsonb,
  PRIMARY KEY (repository, oid)
);
CREATE INDEX withheld_oid ON withheld (oid);

CREATE TABLE setting (name text PRIMARY KEY, value text NOT NULL);

CREATE TABLE principal (
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, subject text NOT NULL UNIQUE, name text NOT NULL
);
CREATE TABLE access (
  principal integer NOT NULL REFERENCES principal ON DELETE CASCADE,
  repository integer NOT NULL REFERENCES repository ON DELETE CASCADE,
  source text NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (principal, repository, source)
);
CREATE INDEX access_repository ON access (repository);
CREATE TABLE token (
  id text PRIMARY KEY, hash text NOT NULL UNIQUE,
  principal integer NOT NULL REFERENCES principal ON DELETE CASCADE,
  name text NOT NULL, scopes text[] NOT NULL,
  created timestamptz NOT NULL, expires timestamptz NOT NULL, used_at timestamptz
);
CREATE TABLE session (
  hash text PRIMARY KEY, expires timestamptz NOT NULL,
  principal integer NOT NULL REFERENCES principal ON DELETE CASCADE
);
CREATE TABLE audit (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL, principal integer,
  action text NOT NULL, subject text NOT NULL, repositories text[] NOT NULL,
  -- As in the log and the answer, and how long the answer took.
  request text, ms integer
);
CREATE INDEX audit_at ON audit (at);
`;

/**
 * Makes a repository due. One that is due already keeps its place but gets another time, by which a sync of it that is
 * running sees that it has to run again.
 */
export const DUE_NOW = "wanted_at = least(wanted_at - interval '1 microsecond', now())";

/**
 * The tables of the first version. Every key holds the repository, so that rows of one repository can lie together on
 * one of many servers. What a word, a cited path (`/src/a.ts`) or a co-cited file is found by is a posting: the rows of one
 * repository that have it. A general text index does not know repositories: a word that is rare among a reader's records
 * may be common among all.
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
  -- Raised by every sync that commits: one that worked from older rows is refused.
  version integer NOT NULL DEFAULT 0,
  synced_at timestamptz, wanted_at timestamptz,
  -- How long its last sync took that found something new.
  sync_ms integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0, problem text
);
CREATE INDEX repository_wanted ON repository (wanted_at) WHERE wanted_at IS NOT NULL;

CREATE TABLE record (
  repository integer NOT NULL REFERENCES repository ON DELETE CASCADE,
  -- Never given twice in a repository.
  row integer NOT NULL,
  -- The blob, whose content never changes.
  oid text NOT NULL,
  path text NOT NULL, id text COLLATE "C" NOT NULL, kind text NOT NULL, type text NOT NULL, author text NOT NULL,
  -- ISO 8601, UTC.
  created text COLLATE "C" NOT NULL,
  session text, prompt integer, concepts text[] NOT NULL, files text[] NOT NULL, record jsonb NOT NULL,
  -- Token streams, one a field, and how many tokens each has.
  terms text[] NOT NULL, lengths integer[] NOT NULL, length integer NOT NULL,
  -- The vector of how its words are spelt, as the ranking takes it, in base64.
  spelling text NOT NULL,
  bytes integer NOT NULL,
  -- Keyed hashes of its sentences, by which it is found to repeat a redacted one.
  prints bigint[] NOT NULL,
  freshness text NOT NULL,
  -- By all marks of the repository together.
  state jsonb NOT NULL,
  hidden boolean NOT NULL,
  PRIMARY KEY (repository, row)
);
CREATE UNIQUE INDEX record_oid ON record (oid, repository);
CREATE INDEX record_id ON record (repository, id);
CREATE INDEX record_created ON record (repository, created DESC, id DESC);
CREATE INDEX record_mark ON record (repository) WHERE kind = 'mark';
-- With what the order within a session needs: hundreds of sessions are looked up for a question.
CREATE INDEX record_session ON record (repository, session) INCLUDE (row, created, prompt, id)
  WHERE session IS NOT NULL AND kind <> 'mark';

-- No foreign key: its check for each row took as long as the row. \`takeOver\` removes those of a removed repository.
CREATE TABLE posting (
  key text COLLATE "C" NOT NULL, repository integer NOT NULL, rows integer[] NOT NULL, PRIMARY KEY (key, repository)
);
CREATE INDEX posting_repository ON posting (repository);

-- Records of a repository's tree that are not indexed because of a redaction: nothing of their text.
CREATE TABLE withheld (
  repository integer NOT NULL REFERENCES repository ON DELETE CASCADE,
  oid text NOT NULL, id text NOT NULL, kind text NOT NULL,
  -- Named by a mark of this repository: the blob is withheld wherever it is.
  target boolean NOT NULL,
  -- Withheld because another repository redacts the same blob.
  elsewhere boolean NOT NULL,
  prints bigint[] NOT NULL,
  -- What it says about other records, which goes on to count.
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

import { createHash } from 'node:crypto';

/** The questions that the reading function answers. */
export type ReadQuestion =
  | 'repositories'
  | 'words'
  | 'candidates'
  | 'nearest'
  | 'compared'
  | 'places'
  | 'documents'
  | 'citing'
  | 'sessions'
  | 'records'
  | 'marks'
  | 'feed'
  | 'facets';

/** A filter's conditions on `record r`; each is skipped if the argument does not name it. */
const PASSES = `
      (_is_all OR NOT r.hidden)
      AND r.kind = ANY (_kinds)
      AND (_types IS NULL OR r.type = ANY (_types))
      AND (_concepts IS NULL OR r.concepts && _concepts)
      AND (_paths IS NULL OR EXISTS (SELECT FROM unnest(r.files) file WHERE file ~ ANY (_paths)))
      AND (_authors IS NULL OR r.author = ANY (_authors))
      AND (_session IS NULL OR starts_with(r.session, _session))
      AND (_since IS NULL OR r.created >= _since)
      AND (_until IS NULL OR r.created <= _until)
      AND (_freshnesses IS NULL OR r.freshness = _freshnesses)`;

const LIST = (name: string) =>
  `CASE WHEN _filter ? '${name}' THEN ARRAY(SELECT jsonb_array_elements_text(_filter->'${name}')) END`;

/** A row as the ranking identifies it. */
const PLACE = "'repository', r.repository, 'row', r.row, 'oid', r.oid";

const CARD = `json_build_object(${PLACE}, 'path', r.path, 'author', r.author,
      'freshness', r.freshness, 'state', r.state, 'record', r.record)`;

/** The nearest rows that pass the filter, with their similarity. */
const NEAR = `SELECT json_build_object(${PLACE}, 'likeness', 1 - near.distance) FROM near
          JOIN record r ON r.repository = near.repository AND r.row = near.row
          WHERE ${PASSES} ORDER BY near.distance, r.repository, r.row LIMIT _most`;

/**
 * From this many vectors on, an index finds the nearest ones. With fewer, a question is compared with every one: a
 * filtered index loses neighbours or costs up to a hundred times as much.
 */
export const INDEXED_FROM = 50_000;

/** Counts the values of one column among the rows that pass, as a facet. */
const FACET = (name: string, value: string, more = '') => `
    RETURN QUERY SELECT json_build_object('facet', '${name}', 'name', value, 'count', count(*))
      FROM record r ${more} CROSS JOIN LATERAL (SELECT ${value} AS value) named
      WHERE r.repository = ANY (repositories) AND ${PASSES} GROUP BY value ORDER BY count(*) DESC, value LIMIT _most;`;

/**
 * The one function that may select for a reader. Each statement restricts its source rows to the repositories once: next to
 * a join on their number, the list would be prepared again for each row. The wall behind it checks the rights. Each question
 * is planned for its own list, since one plan for three and for five hundred repositories is wrong for both. The factors
 * bound what one question reads: several times the rows wanted, because filters drop some. pgvector allows 1000 for ef_search.
 */
const TEXT = `
CREATE FUNCTION @read@(principal integer, repositories integer[], question text, argument jsonb, _keys text[], _places integer[], _rows integer[])
RETURNS SETOF json
LANGUAGE plpgsql SECURITY DEFINER SET search_path = git_mem_hub, pg_temp SET plan_cache_mode = force_custom_plan SET jit = off
SET work_mem = '16MB'
AS $read$
#variable_conflict use_column
DECLARE
  _filter jsonb := coalesce(argument->'filter', '{}');
  _kinds text[] := '{observation,summary}';
  _types text[];
  _concepts text[];
  _paths text[];
  _authors text[];
  _session text := _filter->>'session';
  _since text := _filter->>'since';
  _until text := _filter->>'until';
  _freshnesses text := _filter->>'freshness';
  _is_all boolean := coalesce((_filter->>'all')::boolean, false);
  _is_narrow boolean := _filter - 'all' <> '{}'::jsonb;
  _most integer := coalesce((argument->>'limit')::integer, 100);
  _skipped integer := coalesce((argument->>'offset')::integer, 0);
  _demanded text[];
  _mean real := greatest(1, coalesce((argument->>'mean')::real, 1));
  _near integer;
  _set text := set_config('git_mem_hub.principal', principal::text, true);
BEGIN
  -- Expressions with a SELECT are planned at each call, which costs as much as a small question.
  IF _filter <> '{}' THEN
    _kinds := coalesce(${LIST('kind')}, _kinds);
    _types := ${LIST('type')};
    _concepts := ${LIST('concept')};
    _paths := ${LIST('paths')};
    _authors := ${LIST('author')};
  END IF;
  -- These look up few rows by key. The planner does not know how few, and reads whole tables for wide rights.
  IF question NOT IN ('feed', 'facets', 'nearest') THEN
    _set := set_config('enable_seqscan', 'off', true) || set_config('enable_hashjoin', 'off', true)
      || set_config('enable_mergejoin', 'off', true) || set_config('random_page_cost', '1.1', true);
  END IF;
  -- Looked up by places alone: one plan serves every list of repositories.
  IF question IN ('places', 'documents', 'citing', 'sessions', 'records') THEN
    _set := set_config('plan_cache_mode', 'force_generic_plan', true);
  END IF;
  CASE question
  WHEN 'repositories' THEN
    RETURN QUERY SELECT json_build_object('number', p.number, 'name', p.name, 'teams', p.teams, 'url', p.url, 'head', p.head,
        'records', p.records, 'synced', p.synced_at, 'problem', p.problem,
        'withheld', (SELECT count(*) FROM withheld w WHERE w.repository = p.number),
        'withheldElsewhere', (SELECT count(*) FROM withheld w WHERE w.repository = p.number AND w.elsewhere),
        'withheldBy', ARRAY(SELECT DISTINCT o.name FROM withheld w
          JOIN withheld t ON t.oid = w.oid AND t.target JOIN repository o ON o.number = t.repository
          WHERE w.repository = p.number AND w.elsewhere AND t.repository = ANY (repositories) ORDER BY o.name),
        'withholdsIn', ARRAY(SELECT DISTINCT o.name FROM withheld t
          JOIN withheld w ON w.oid = t.oid AND w.elsewhere JOIN repository o ON o.number = w.repository
          WHERE t.repository = p.number AND t.target AND w.repository = ANY (repositories) ORDER BY o.name))
      FROM repository p WHERE p.number = ANY (repositories) ORDER BY p.name;

  WHEN 'words' THEN
    RETURN QUERY SELECT json_build_object('documents', coalesce(sum(p.documents), 0), 'lengths', json_build_array(
        coalesce(sum(p.lengths[1]), 0), coalesce(sum(p.lengths[2]), 0), coalesce(sum(p.lengths[3]), 0),
        coalesce(sum(p.lengths[4]), 0), coalesce(sum(p.lengths[5]), 0)))
      FROM repository p WHERE p.number = ANY (repositories);
    RETURN QUERY SELECT json_build_object('word', p.key, 'documents', sum(cardinality(p.rows)))
      FROM posting p WHERE p.key = ANY (_keys) AND p.repository = ANY (repositories) GROUP BY p.key;

  WHEN 'candidates' THEN
    IF argument ? 'demanded' THEN _demanded := ARRAY(SELECT jsonb_array_elements_text(argument->'demanded')); END IF;
    RETURN QUERY
      WITH weighed AS (
        SELECT p.repository, place, sum(asked.weight) AS weight
        FROM jsonb_to_recordset(argument->'words') asked(key text, weight real)
        JOIN posting p ON p.key = asked.key AND p.repository = ANY (repositories)
        CROSS JOIN LATERAL unnest(p.rows) place
        GROUP BY 1, 2
      ), kept AS (
        SELECT * FROM weighed
        WHERE _demanded IS NULL OR (repository, place) IN (
          SELECT p.repository, place FROM posting p CROSS JOIN LATERAL unnest(p.rows) place
          WHERE p.key = ANY (_demanded) AND p.repository = ANY (repositories))
        -- A narrow filter needs more candidates, because it may drop all of the best ones.
        ORDER BY weight DESC, repository, place LIMIT CASE WHEN _is_narrow THEN 50000 ELSE _most * 4 END
      )
      SELECT json_build_object(${PLACE}) FROM kept
      JOIN record r ON r.repository = kept.repository AND r.row = kept.place
      WHERE ${PASSES}
      ORDER BY kept.weight / (1 + 0.15 * r.length / _mean) DESC, r.id, r.repository LIMIT _most;

  -- Records by meaning. These two are asked only if the table of vectors exists.
  WHEN 'nearest' THEN
    -- If a filter drops most of the nearest, the words find the rest.
    _near := CASE WHEN _is_narrow THEN _most * 10 ELSE _most * 2 END;
    IF (SELECT sum(p.documents) FROM repository p WHERE p.number = ANY (repositories)) < ${INDEXED_FROM} THEN
      -- Compare all: an index that finds mostly foreign ones costs more, and loses neighbours.
      RETURN QUERY
        WITH compared AS MATERIALIZED (
          SELECT e.repository, e.row, e.vector <=> (argument->>'vector')::halfvec AS distance FROM embedding e
          WHERE e.repository = ANY (repositories)
        ), near AS (SELECT * FROM compared ORDER BY distance LIMIT _near)
        ${NEAR};
    ELSE
      _set := set_config('hnsw.iterative_scan', 'relaxed_order', true) || set_config('hnsw.ef_search', least(_near, 1000)::text, true);
      RETURN QUERY
        WITH near AS MATERIALIZED (
          SELECT e.repository, e.row, e.vector <=> (argument->>'vector')::halfvec AS distance FROM embedding e
          WHERE e.repository = ANY (repositories) ORDER BY e.vector <=> (argument->>'vector')::halfvec LIMIT _near
        )
        ${NEAR};
    END IF;

  WHEN 'compared' THEN
    RETURN QUERY SELECT json_build_object('repository', e.repository, 'row', e.row, 'likeness',
        1 - (e.vector <=> (argument->>'vector')::halfvec))
      FROM unnest(_places, _rows) wanted(repository, row)
      JOIN embedding e ON e.repository = wanted.repository AND e.row = wanted.row
      WHERE wanted.repository = ANY (repositories);

  WHEN 'places' THEN
    RETURN QUERY SELECT json_build_object(${PLACE}) FROM unnest(_places, _rows) wanted(repository, row)
      JOIN record r ON r.repository = wanted.repository AND r.row = wanted.row
      WHERE wanted.repository = ANY (repositories) AND ${PASSES};

  WHEN 'documents' THEN
    RETURN QUERY SELECT json_build_object(${PLACE}, 'terms', r.terms, 'spelling', r.spelling,
        'card', json_build_object('id', r.id, 'kind', r.kind, 'type', r.type, 'title', '', 'created', r.created,
          'session', r.session, 'concepts', r.concepts, 'files', r.files, 'modified', 0, 'supersedes', '[]'::json))
      FROM unnest(_places, _rows) wanted(repository, row)
      JOIN record r ON r.repository = wanted.repository AND r.row = wanted.row
      WHERE wanted.repository = ANY (repositories) AND ${PASSES};

  WHEN 'citing' THEN
    RETURN QUERY SELECT json_build_array(p.repository, p.key, cardinality(p.rows), CASE WHEN cardinality(p.rows) <= _most THEN p.rows END)
      FROM (SELECT DISTINCT * FROM unnest(_places, _keys) pair(repository, key)) wanted
      JOIN posting p ON p.key = wanted.key AND p.repository = wanted.repository
      WHERE wanted.repository = ANY (repositories);

  WHEN 'sessions' THEN
    RETURN QUERY SELECT json_build_array(r.repository, r.session, json_agg(r.row ORDER BY r.created, r.prompt NULLS FIRST, r.id))
      FROM (SELECT DISTINCT * FROM unnest(_places, _keys) pair(repository, session)) wanted
      JOIN record r ON r.repository = wanted.repository AND r.session = wanted.session
      WHERE wanted.repository = ANY (repositories) AND r.kind <> 'mark' GROUP BY r.repository, r.session;

  WHEN 'records' THEN
    IF cardinality(_keys) > 0 THEN
      RETURN QUERY SELECT ${CARD} FROM record r WHERE r.repository = ANY (repositories) AND r.id = ANY (_keys);
    ELSE
      RETURN QUERY SELECT ${CARD} FROM (SELECT DISTINCT * FROM unnest(_places, _rows) place(repository, row)) wanted
        JOIN record r ON r.repository = wanted.repository AND r.row = wanted.row WHERE wanted.repository = ANY (repositories);
    END IF;

  WHEN 'marks' THEN
    RETURN QUERY SELECT ${CARD} FROM record r
      WHERE r.repository = ANY (repositories) AND r.kind = 'mark' AND r.record->'targets' ?| _keys
      ORDER BY r.created, r.id LIMIT _most;

  WHEN 'feed' THEN
    IF _skipped = 0 OR argument ? 'count' THEN
      IF _is_narrow OR _is_all THEN
        RETURN QUERY SELECT json_build_object('total', count(*)) FROM record r
          WHERE r.repository = ANY (repositories) AND ${PASSES};
      ELSE
        RETURN QUERY SELECT json_build_object('total', coalesce(sum(p.records), 0)) FROM repository p
          WHERE p.number = ANY (repositories);
      END IF;
    END IF;
    RETURN QUERY
      WITH newest AS (
        SELECT found.repository, found.row, found.created, found.id FROM unnest(repositories) own CROSS JOIN LATERAL (
          SELECT r.repository, r.row, r.created, r.id FROM record r
          WHERE r.repository = own AND ${PASSES} ORDER BY r.created DESC, r.id DESC LIMIT _most + _skipped
        ) found ORDER BY found.created DESC, found.id DESC, found.repository LIMIT _most OFFSET _skipped
      )
      SELECT ${CARD} FROM newest JOIN record r ON r.repository = newest.repository AND r.row = newest.row
      ORDER BY newest.created DESC, newest.id DESC, newest.repository;

  WHEN 'facets' THEN
    ${FACET('repository', 'p.name', 'JOIN repository p ON p.number = r.repository')}
    ${FACET('team', 'team', 'JOIN repository p ON p.number = r.repository CROSS JOIN unnest(p.teams) team')}
    ${FACET('type', 'r.type')}
    ${FACET('concept', 'concept', 'CROSS JOIN unnest(r.concepts) concept')}
    ${FACET('author', 'r.author')}
    ${FACET('freshness', 'r.freshness')}
  ELSE
    RAISE EXCEPTION 'unknown question';
  END CASE;
END $read$;
REVOKE EXECUTE ON FUNCTION @read@ FROM PUBLIC;
`;

/** Named by its content's hash: a server calls the one it was built with, so old and new servers run side by side. */
export const READ_NAME = `read_${createHash('sha256').update(TEXT).digest('hex').slice(0, 12)}`;
export const READ = TEXT.replaceAll('@read@', READ_NAME);

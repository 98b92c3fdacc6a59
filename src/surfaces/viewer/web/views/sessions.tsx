import type { JSX } from 'preact';
import { wordOf } from '../../../../memory/session-digest.ts';
import type { SessionPage, Sessions } from '../../protocol.ts';
import { countOf, dateOf, numberOf, rangeOf, wholeDate } from '../dates.ts';
import { Pending, Problem } from '../parts/form.tsx';
import { PlainText, RecordLines, RecordLink } from '../parts/plain-text.tsx';
import { linkTo, route, type ViewProps } from '../route.ts';
import { useLoading } from '../store.ts';

/** Most sessions in the list, as many as an answer may have; the page says how many older ones there are. */
const LISTED = 200;

/** The agents' sessions in this clone, one row each with its digest; the chosen one has its story below it. */
export function SessionsView({ store }: ViewProps): JSX.Element {
  const { id } = route.value;
  const { value, problem } = useLoading(store, (source, signal) => source.sessions(LISTED, signal));
  if (problem) return <Problem error={problem} />;
  return (
    <div class="stack">
      <h1>Sessions</h1>
      {!value && <div class="skeleton" aria-busy="true" />}
      {value?.total === 0 && <p class="empty">No agent has worked here yet, as far as this clone knows.</p>}
      {value && value.total > 0 && (
        <ol class="rows" aria-label="Sessions">
          {value.sessions.map((one) => (
            <li key={one.session}>
              <SessionRow session={one} isChosen={one.session === id} />
              {one.session === id && <Story id={id} store={store} />}
            </li>
          ))}
          {value.total > value.sessions.length && (
            <li class="soft">{numberOf(value.total - value.sessions.length)} older ones are not listed.</li>
          )}
        </ol>
      )}
    </div>
  );
}

function SessionRow({ session, isChosen }: { session: Sessions['sessions'][number]; isChosen: boolean }): JSX.Element {
  const { title, digest, state, started, host } = session;
  const place = linkTo({ view: 'sessions', ...(!isChosen && { id: session.session }) });
  return (
    <div class="card">
      <div class="card-line">
        <h2>
          <a class="whole" href={place} aria-expanded={isChosen}>
            <PlainText text={title} />
          </a>
        </h2>
        {state !== 'ended' && <span class={`state ${state === 'open' ? 'good' : 'warn'}`}>{state}</span>}
        <PlainText class="author soft" text={host.split('/')[0] ?? ''} />
        <time class="soft" dateTime={started}>
          {dateOf(started)}
        </time>
      </div>
      <div class="card-line soft">
        <p>
          <PlainText text={digest} />
        </p>
        <span>{countsOf(session)}</span>
      </div>
    </div>
  );
}

function countsOf({ prompts, files_modified, commits, records }: Sessions['sessions'][number]): string {
  const counts: [number, string][] = [
    [prompts, 'prompt'],
    [files_modified.length, 'file'],
    [commits.length, 'commit'],
    [records.length, 'record'],
  ];
  return counts
    .filter(([n]) => n > 0)
    .map(([n, noun]) => countOf(n, noun))
    .join(', ');
}

function Story({ id, store }: { id: string } & Pick<ViewProps, 'store'>): JSX.Element {
  const { value, problem } = useLoading(store, (source, signal) => source.session(id, signal), [id]);
  if (!value) return <Pending problem={problem} />;
  const { title, state, host, branch, started, ended, tokens, turns, records, files_modified } = value;
  return (
    <article class="panel stack story" aria-label={title}>
      <p class="soft">
        <PlainText text={[host, branch && `on ${branch}`, state].filter(Boolean).join(', ')} />
        <br />
        {ended === null ? wholeDate(started) : rangeOf(started, ended)}
        {tokens > 0 && `, about ${numberOf(tokens)} tokens of work`}
      </p>
      {turns.length > 0 && (
        <>
          <h3>Turns</h3>
          <ol class="turns">
            {turns.map((turn, i) => (
              <li key={i}>
                <Turn turn={turn} />
              </li>
            ))}
          </ol>
        </>
      )}
      {records.length > 0 && (
        <>
          <h3>Records</h3>
          <RecordLines lines={records.map(({ type, ...one }) => ({ ...one, lead: <PlainText text={type} /> }))} />
        </>
      )}
      {files_modified.length > 0 && (
        <>
          <h3>Modified</h3>
          <PlainText class="mono" text={files_modified.join(', ')} />
        </>
      )}
    </article>
  );
}

function Turn({ turn }: { turn: SessionPage['turns'][number] }): JSX.Element {
  const { prompt, answer, files, checks, commits, saved } = turn;
  const lines = [
    ...(files.length > 0 ? [`changed ${files.join(', ')}`] : []),
    ...checks.map((check) => `${wordOf(check)} ${check.command}`),
    ...commits.map(({ commit, subject }) => `commit ${commit.slice(0, 8)} ${subject}`),
  ];
  return (
    <>
      <strong>
        <PlainText text={prompt} />
      </strong>
      {answer !== '' && (
        <p>
          <PlainText text={answer} />
        </p>
      )}
      {lines.map((line, i) => (
        <p class="soft" key={i}>
          <PlainText text={line} />
        </p>
      ))}
      {saved.map((id) => (
        <p class="soft" key={id}>
          saved <RecordLink id={id} title={id} />
        </p>
      ))}
    </>
  );
}

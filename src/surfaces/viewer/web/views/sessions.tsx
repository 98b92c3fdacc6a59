import type { JSX } from 'preact';
import { wordOf } from '../../../../memory/session-digest.ts';
import type { Session, SessionPage } from '../../protocol.ts';
import { countOf, dayAndTime, numberOf, wholeDate } from '../dates.ts';
import { useLoading } from '../loading.ts';
import { PlainText, RecordLink } from '../parts/plain-text.tsx';
import { Problem } from '../parts/problem.tsx';
import { linkTo, route, type ViewProps } from '../route.ts';

/** Most sessions in the list, as many as an answer may have; the page says how many older ones there are. */
const LISTED = 200;

/** The agents' sessions in this clone; beside the list the story of the one that is chosen. */
export function SessionsView({ store }: ViewProps): JSX.Element {
  const { id } = route.value;
  const { value, problem } = useLoading(store, (source, signal) => source.sessions(LISTED, signal));
  if (problem) return <Problem error={problem} />;
  return (
    <div class="sessions-page">
      <h1>Sessions</h1>
      {!value && <div class="skeleton tall" aria-busy="true" />}
      {value?.total === 0 && <p class="empty">No agent has worked here yet, as far as this clone knows.</p>}
      {value && value.total > 0 && (
        <div class="columns">
          <ol class="panel session-list" aria-label="Sessions">
            {value.sessions.map((one) => (
              <SessionLine key={one.session} session={one} isChosen={one.session === id} />
            ))}
            {value.total > value.sessions.length && (
              <li class="soft">{numberOf(value.total - value.sessions.length)} older ones are not listed.</li>
            )}
          </ol>
          {id === undefined ? (
            <p class="panel soft">Choose a session to read its story.</p>
          ) : (
            <Story id={id} store={store} />
          )}
        </div>
      )}
    </div>
  );
}

function SessionLine({ session, isChosen }: { session: Session; isChosen: boolean }): JSX.Element {
  const { title, state, started, host, branch } = session;
  return (
    <li>
      <a href={linkTo({ view: 'sessions', id: session.session })} aria-current={isChosen ? 'true' : undefined}>
        <PlainText text={title} />
      </a>
      <span class="soft">
        <time dateTime={started}>{dayAndTime(started)}</time>
        {' · '}
        <PlainText text={[state, host.split('/')[0], branch, countsOf(session)].filter(Boolean).join(' · ')} />
      </span>
    </li>
  );
}

function countsOf({ prompts, files_modified, commits, records }: Session): string {
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
  if (problem) return <Problem error={problem} />;
  if (!value) return <div class="panel skeleton tall" aria-busy="true" />;
  const { title, state, host, branch, started, ended, tokens, turns, records, files_modified } = value;
  return (
    <article class="panel session-story" aria-labelledby="session">
      <h2 id="session">
        <PlainText text={title} />
      </h2>
      <p class="soft">
        <PlainText text={[host, branch && `on ${branch}`, state].filter(Boolean).join(', ')} />
        <br />
        {wholeDate(started)}
        {ended !== null && ` to ${wholeDate(ended)}`}
        {tokens > 0 && `, about ${numberOf(tokens)} tokens of work`}
      </p>
      <Lines title="Turns" lines={turns.map(turnOf)} isOrdered />
      <Lines title="Records" lines={records.map(recordOf)} />
      <Lines title="Modified" lines={files_modified.map(textOf)} />
    </article>
  );
}

function turnOf({ prompt, answer, files, checks, commits, saved }: SessionPage['turns'][number]): JSX.Element {
  return (
    <>
      {prompt !== '' && (
        <strong>
          <PlainText text={prompt} />
        </strong>
      )}
      {answer !== '' && (
        <p>
          <PlainText text={answer} />
        </p>
      )}
      {files.length > 0 && (
        <p class="soft">
          <PlainText text={`changed ${files.join(', ')}`} />
        </p>
      )}
      {checks.map((check, i) => (
        <p class="soft" key={i}>
          <PlainText text={`${wordOf(check)} ${check.command}`} />
        </p>
      ))}
      {commits.map(({ commit, subject }) => (
        <p class="soft" key={commit}>
          <PlainText text={`commit ${commit.slice(0, 8)} ${subject}`} />
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

function textOf(text: string): JSX.Element {
  return <PlainText text={text} />;
}

function recordOf({ id, type, title }: SessionPage['records'][number]): JSX.Element {
  return (
    <>
      <RecordLink id={id} title={title} /> <PlainText class="soft" text={type} />
    </>
  );
}

interface LinesProps {
  title: string;
  lines: JSX.Element[];
  isOrdered?: true;
}

function Lines({ title, lines, isOrdered }: LinesProps): JSX.Element | null {
  if (lines.length === 0) return null;
  const List = isOrdered ? 'ol' : 'ul';
  return (
    <section>
      <h3>{title}</h3>
      <List>
        {lines.map((line, i) => (
          <li key={i}>{line}</li>
        ))}
      </List>
    </section>
  );
}

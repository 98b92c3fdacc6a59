import type { ComponentChildren, JSX } from 'preact';
import type { Filters } from '../../protocol.ts';
import type { Insight } from '../../protocol-insight.ts';
import { numberOf } from '../dates.ts';
import { useLoading } from '../loading.ts';
import { AttentionTable } from '../parts/attention.tsx';
import { TypesOverTime } from '../parts/bars.tsx';
import { Calendar } from '../parts/calendar.tsx';
import { PlainText } from '../parts/plain-text.tsx';
import { Problem } from '../parts/problem.tsx';
import { Treemap } from '../parts/treemap.tsx';
import { linkTo } from '../route.ts';
import type { ViewProps } from '../view-props.ts';

/** Length of a list of names: three such lists fit beside each other on a screen. */
const TOP = 12;

const ATTENTION =
  'Stale: its files changed or are gone. Unreviewed: only in a pull request. Unused: old, and never read here. Disputed: another record says otherwise.';

/** What the memory consists of, and what it is worth. */
export function InsightView({ store, meta }: ViewProps): JSX.Element {
  const { value, problem } = useLoading(store, (source, signal) => source.insight(signal));
  if (problem) return <Problem error={problem} />;
  return (
    <div class="insight-page">
      <h1>Insight</h1>
      {value && isEmpty(value) && <p class="empty">Nothing is remembered yet: there is nothing to count.</p>}
      {value && !isEmpty(value) && <Charts insight={value} today={meta.at.slice(0, 10)} />}
      {!value && <Waiting />}
    </div>
  );
}

function isEmpty({ types }: Insight): boolean {
  return types.every(({ count }) => count === 0);
}

/** A placeholder as high as the content. */
function Waiting(): JSX.Element {
  return (
    <>
      <div class="figures" aria-hidden="true">
        {[1, 2, 3, 4, 5].map((i) => (
          <div key={i} class="panel skeleton figure-waiting" />
        ))}
      </div>
      <div class="panel skeleton picture-waiting" aria-busy="true" />
    </>
  );
}

function Charts({ insight, today }: { insight: Insight; today: string }): JSX.Element {
  const { days, months, files, concepts, tokens, trust, freshness, repositories, attention } = insight;
  return (
    <>
      {attention ? (
        <Section title="What needs attention" note={ATTENTION}>
          <AttentionTable teams={attention} />
        </Section>
      ) : (
        <>
          <Economics tokens={tokens} />
          <Section title="When">
            <Calendar days={days} today={today} />
          </Section>
          <Section title="What, by month">
            <TypesOverTime months={months} />
          </Section>
        </>
      )}
      {repositories ? (
        <Section title="Where">
          <Names names={repositories} place={(name) => ({ view: 'feed', repository: name })} />
        </Section>
      ) : (
        <Section
          title="Where"
          note="The larger, the more is remembered of a file; the warmer, the more of that is stale."
        >
          <Treemap files={files} />
        </Section>
      )}
      <div class="thirds">
        {!repositories && (
          <Section title="Files">
            <Names
              names={files.slice(0, TOP).map(({ path, count, stale }) => ({
                name: path,
                count,
                note: stale > 0 ? `${numberOf(stale)} stale` : '',
              }))}
              place={feedOf((name) => ({ file: [name] }))}
              isMono
            />
          </Section>
        )}
        <Section title="Concepts">
          <Names names={concepts.slice(0, TOP)} place={feedOf((name) => ({ concept: [name] }))} />
        </Section>
        <Section title="State">
          <Names names={entries(trust)} place={feedOf((name) => ({ trust: name as keyof typeof trust }))} />
          <hr />
          <Names names={entries(freshness)} place={feedOf((name) => ({ freshness: name as keyof typeof freshness }))} />
        </Section>
      </div>
    </>
  );
}

function Economics({
  tokens: { discovery, read, saved, injected, spent },
}: Pick<Insight, 'tokens'>): JSX.Element | null {
  // Manual and imported records have no agent's work behind them: zeros would claim that it cost nothing.
  const figures: [name: string, value: number, note: string][] =
    discovery === 0
      ? []
      : [
          ['Tokens spent', discovery, 'by agents on the work behind these records'],
          ['Tokens to read', read, 'for all of these records'],
          ['Tokens saved', saved, 'each time the work would be repeated'],
        ];
  if (injected !== undefined) figures.push(['Injected at session start', injected, 'tokens, into every new session']);
  if (spent !== undefined && spent.length > 0) {
    const total = spent.reduce((sum, one) => sum + one.tokens, 0);
    const providers = spent.map(({ provider }) => provider).join(', ');
    figures.push(['Spent on extraction', total, `tokens by ${providers}`]);
  }
  if (figures.length === 0) return null;
  return (
    <dl class="figures">
      {figures.map(([name, value, note]) => (
        <div key={name} class="panel">
          <dt>{name}</dt>
          <dd>
            <strong>{numberOf(value)}</strong>
            <span class="soft">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface SectionProps {
  title: string;
  note?: string;
  children: ComponentChildren;
}

function Section({ title, note, children }: SectionProps): JSX.Element {
  return (
    <section class="panel" aria-label={title}>
      <h2>{title}</h2>
      {note && <p class="soft note">{note}</p>}
      {children}
    </section>
  );
}

type Place = Parameters<typeof linkTo>[0];

function feedOf(filter: (name: string) => Filters): (name: string) => Place {
  return (name) => ({ view: 'feed', filters: filter(name) });
}

interface NamesProps {
  names: { name: string; count: number; note?: string }[];
  place: (name: string) => Place;
  isMono?: boolean;
}

function Names({ names, place, isMono = false }: NamesProps): JSX.Element {
  if (names.length === 0) return <p class="soft">Nothing yet.</p>;
  const most = Math.max(...names.map(({ count }) => count));
  return (
    <ul class="names">
      {names.map(({ name, count, note }) => (
        <li key={name}>
          <a class={isMono ? 'mono' : undefined} href={linkTo(place(name))}>
            <PlainText text={name} />
          </a>
          <span class="soft">{[note, numberOf(count)].filter(Boolean).join(', ')}</span>
          <span class="share" style={{ width: `${(count / most) * 100}%` }} />
        </li>
      ))}
    </ul>
  );
}

function entries(counts: Record<string, number>): { name: string; count: number }[] {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => ({ name, count }));
}

import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { frontAndBody } from '../../../../memory/front-matter-lines.ts';
import type { ReviewItem } from '../../protocol.ts';
import { numberOf } from '../dates.ts';
import { type Deeds, MarkButtons, TrustButton } from './deeds.tsx';
import { Button } from './form.tsx';
import { Markdown } from './markdown.tsx';
import { PlainText, RecordLink, withoutTurns } from './plain-text.tsx';

/** Findings shown before the rest is expanded: thousands with their buttons would take a browser seconds to draw. */
const MOST = 100;

interface Props {
  items: ReviewItem[];
  kind: string;
  deeds: Deeds;
  chosen: Signal<ReadonlySet<string>>;
}

/** The findings of one kind in a review, by the files that they cite, with their texts and actions. */
export function Findings({ items, kind, deeds, chosen }: Props): JSX.Element {
  const [most, setMost] = useState(MOST);
  const shown = new Set(items.slice(0, most));
  return (
    <>
      {byFile(items).map(([file, all]) => {
        const own = all.filter((item) => shown.has(item));
        return (
          own.length > 0 && (
            <div key={file} class="of-file">
              <FileHead file={file} items={all} chosen={chosen} />
              <ul>
                {own.map((item, i) => (
                  <Finding key={`${item.path} ${i}`} item={item} kind={kind} deeds={deeds} chosen={chosen} />
                ))}
              </ul>
            </div>
          )
        );
      })}
      {items.length > most && (
        <Button name={`${numberOf(items.length - most)} more`} onClick={() => setMost(most + MOST)} />
      )}
    </>
  );
}

/** Groups findings by file, the file with the most first; those that cite no file come last. */
function byFile(items: ReviewItem[]): [file: string, items: ReviewItem[]][] {
  const groups = new Map<string, ReviewItem[]>();
  for (const item of items) {
    const [file = ''] = item.files;
    const group = groups.get(file) ?? [];
    if (group.push(item) === 1) groups.set(file, group);
  }
  return [...groups].sort(([a, one], [b, other]) => Number(a === '') - Number(b === '') || other.length - one.length);
}

function FileHead({ file, items, chosen }: { file: string; items: ReviewItem[] } & Pick<Props, 'chosen'>): JSX.Element {
  const ids = items.flatMap(({ id, here }) => (id !== null && here ? [id] : []));
  return (
    <h3 class="line soft">
      {ids.length > 1 && (
        <input
          type="checkbox"
          aria-label={`Select all ${numberOf(ids.length)}`}
          checked={ids.every((id) => chosen.value.has(id))}
          onChange={({ currentTarget: { checked } }) => select(chosen, ids, checked)}
        />
      )}
      {file === '' ? 'no file' : <PlainText class="mono" text={file} />}
      <span class="state off">{numberOf(items.length)}</span>
    </h3>
  );
}

/** Selects or deselects. */
export function select(chosen: Props['chosen'], ids: string[], isSelected: boolean): void {
  const rest = [...chosen.value].filter((id) => !ids.includes(id));
  chosen.value = new Set(isSelected ? [...rest, ...ids] : rest);
}

/** Open at first: kinds that are decided by comparing two texts, or by reading one that is gone. */
const OPEN = ['edited', 'deleted', 'duplicates', 'other_files'];

function Finding({ item, kind, deeds, chosen }: Omit<Props, 'items'> & { item: ReviewItem }): JSX.Element {
  const isOpen = useSignal(OPEN.includes(kind));
  const toggle = () => (isOpen.value = !isOpen.value);
  const { id, title, path, note, trust, here, before, after } = item;
  const names = kind === 'duplicates' ? ['The other', 'This one'] : ['Before', 'Now'];
  return (
    <li>
      <div class="line">
        {id && here && (
          <input
            type="checkbox"
            aria-label={`Select ${withoutTurns(title)}`}
            checked={chosen.value.has(id)}
            onChange={({ currentTarget: { checked } }) => select(chosen, [id], checked)}
          />
        )}
        {id ? <RecordLink id={id} title={title} /> : <PlainText class="mono" text={path} />}
        {(trust === 'unreviewed' || trust === 'edited') && (
          <span class={`state ${trust === 'edited' ? 'warn' : 'bad'}`}>{trust}</span>
        )}
        {note && <PlainText class="soft" text={note} />}
        <span class="line end">
          {(before !== null || after !== null) && (
            <Button class="quiet" aria-expanded={isOpen.value} onClick={toggle} name={isOpen.value ? 'Hide' : 'Read'} />
          )}
          {id && here && trust !== 'reviewed' && trust !== 'own' && <TrustButton ids={[id]} act={deeds.act} />}
          {id && here && <MarkButtons names={['verify', 'retire']} ids={[id]} deeds={deeds} />}
        </span>
      </div>
      {isOpen.value && (
        <div class={before !== null && after !== null ? 'columns' : undefined}>
          {before !== null && <Side name={names[0] ?? ''} text={before} kind={kind} />}
          {after !== null && <Side name={names[1] ?? ''} text={after} kind={kind} />}
        </div>
      )}
    </li>
  );
}

/** A record's file: its title, its text rendered, and its front matter unchanged; another file as it is. */
function Side({ name, text, kind }: { name: string; text: string; kind: string }): JSX.Element {
  const { front, body } = frontAndBody(text);
  const title = /^title: (.*)$/m.exec(front)?.[1];
  return (
    <div class="side">
      <h4>
        {name}
        {title && <PlainText text={`: ${title}`} />}
      </h4>
      {kind === 'other_files' ? <pre class="wrap">{withoutTurns(text)}</pre> : <Markdown level={4} text={body} />}
      {front !== '' && (
        <details>
          <summary>Front matter</summary>
          <pre class="wrap">{withoutTurns(front)}</pre>
        </details>
      )}
    </div>
  );
}

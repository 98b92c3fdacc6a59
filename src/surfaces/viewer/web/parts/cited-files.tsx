import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { lineAddress } from '../../../../review/code-host.ts';
import type { FileOfRecord, RecordPage } from '../../record-protocol.ts';
import { linkTo } from '../route.ts';
import { type Store, useLoading } from '../store.ts';
import { FRESHNESS_LEVELS } from './badges.tsx';
import { Fold, Pending } from './form.tsx';
import { Outside, PlainText, withoutTurns } from './plain-text.tsx';

const STATES: Record<FileOfRecord['freshness'], string> = {
  fresh: 'as the record says',
  touched: 'not as the record says',
  moved: 'moved',
  gone: 'gone',
  unknown: 'not compared',
};

/** The files that a record cites, and the state of each; `canCompare` if a server can show what changed. */
export function CitedFiles(props: { page: RecordPage; store: Store; canCompare: boolean }): JSX.Element {
  const { page, store, canCompare } = props;
  const { files, card } = page;
  return (
    <section class="panel" aria-labelledby="files">
      <h2 id="files">Files</h2>
      <ul class="cited stack">
        {files.map((file) => (
          <CitedFile key={`${card.id} ${file.path}`} file={file} id={card.id} store={store} canCompare={canCompare} />
        ))}
      </ul>
    </section>
  );
}

interface CitedFileProps {
  file: FileOfRecord;
  id: string;
  store: Store;
  canCompare: boolean;
}

function CitedFile({ file, id, store, canCompare }: CitedFileProps): JSX.Element {
  const isOpen = useSignal(false);
  const { path, freshness, change, now_at, missing, url } = file;
  const isChanged = freshness === 'touched' || freshness === 'gone';
  return (
    <li>
      <a class="mono path" href={linkTo({ view: 'feed', filters: { file: [path] } })}>
        <PlainText text={path} />
      </a>
      <div class="line">
        <span class={`state ${FRESHNESS_LEVELS[freshness]}`}>{STATES[freshness]}</span>
        {change === 'read' && <span class="state off">only read</span>}
        {url && <Outside url={url}>Source</Outside>}
        {canCompare && isChanged && <Fold isOpen={isOpen} names={['What changed', 'Hide what changed']} />}
      </div>
      {now_at && (
        <p class="soft">
          now at <PlainText class="mono" text={now_at} />
        </p>
      )}
      {missing.length > 0 && (
        <p class="soft">
          no longer here: <PlainText class="mono" text={missing.join(', ')} />
        </p>
      )}
      {isOpen.value && <Change id={id} file={file} store={store} />}
    </li>
  );
}

function Change({ id, file: { path, url }, store }: { id: string; file: FileOfRecord; store: Store }): JSX.Element {
  const { value, problem } = useLoading(store, (source, signal) => source.change(id, path, signal), [id, path]);
  if (value === undefined) return <Pending problem={problem} />;
  if (value.diff === null) {
    return <p class="soft">What it was then is not in this repository, is too large, or is no text.</p>;
  }
  if (value.diff === '') return <p class="soft">Nothing that a comparison shows.</p>;
  return (
    <>
      <Diff text={value.diff} name={path} url={url} />
      {value.truncated && <p class="soft">The rest is left out: it is too long for a page.</p>}
    </>
  );
}

/** Most lines of a diff that are shown; nobody reads more on a page. */
const LINES = 2000;

/**
 * A unified diff, line by line; added and removed lines are marked by their sign as well as by colour. With the file's
 * address on the code host, each hunk links to its first line there.
 */
function Diff({ text, name, url }: { text: string; name: string; url: string | undefined }): JSX.Element {
  const from = text.search(/^@@/m);
  const lines = withoutTurns(from < 0 ? text : text.slice(from))
    .replace(/\n$/, '')
    .split('\n');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="diff" tabIndex={0} aria-label={`What changed in ${withoutTurns(name)}`}>
      <pre>
        {lines.slice(0, LINES).map((line, i) => (
          <span key={i} class={KINDS[line[0] ?? '']}>
            <Outside url={url && lineAt(url, line)}>{line}</Outside>
            {'\n'}
          </span>
        ))}
        {lines.length > LINES && <span class="hunk">… {lines.length - LINES} more lines</span>}
      </pre>
    </section>
  );
}

function lineAt(url: string, line: string): string | undefined {
  const [, number] = /^@@ \S+ \+(\d+)/.exec(line) ?? [];
  return number === undefined ? undefined : lineAddress(url, Number(number));
}

const KINDS: Record<string, string> = { '+': 'plus', '-': 'minus', '@': 'hunk' };

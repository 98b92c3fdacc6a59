import type { JSX } from 'preact';
import type { FileOfRecord, RecordPage } from '../../record-protocol.ts';
import { linkTo } from '../route.ts';
import { FRESHNESS_LEVELS } from './badges.tsx';
import { Outside, PlainText } from './plain-text.tsx';

const STATES: Partial<Record<FileOfRecord['freshness'], string>> = {
  touched: 'not as the record says',
  moved: 'moved',
  gone: 'gone',
  unknown: 'not compared',
};

/** The files that a record cites, and the state of each. */
export function CitedFiles({ files }: Pick<RecordPage, 'files'>): JSX.Element {
  return (
    <section class="panel" aria-labelledby="files">
      <h2 id="files">Files</h2>
      <ul class="cited stack">
        {files.map((file) => (
          <CitedFile key={file.path} {...file} />
        ))}
      </ul>
    </section>
  );
}

function CitedFile({ path, freshness, change, now_at, missing, url }: FileOfRecord): JSX.Element {
  return (
    <li>
      <a class="mono path" href={linkTo({ view: 'feed', filters: { file: [path] } })}>
        <PlainText text={path} />
      </a>
      <div class="line">
        {STATES[freshness] && <span class={`state ${FRESHNESS_LEVELS[freshness]}`}>{STATES[freshness]}</span>}
        {change === 'read' && <span class="state off">only read</span>}
        {url && <Outside url={url}>Source</Outside>}
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
    </li>
  );
}

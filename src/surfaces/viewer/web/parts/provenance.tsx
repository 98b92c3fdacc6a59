import type { ComponentChildren, JSX } from 'preact';
import type { Commit, RecordPage } from '../../protocol.ts';
import { numberOf, since } from '../dates.ts';
import { linkTo } from '../route.ts';
import { Outside, PlainText } from './plain-text.tsx';

/** Who wrote a record, the prompt behind it, how it got here, and what it saves. */
export function Provenance({ page: { card, provenance } }: { page: RecordPage }): JSX.Element {
  const { by, extractor, prompt, trust_reason, recorded, history_ends, reverted_by, discovery_tokens, read_tokens } =
    provenance;
  const found = discovery_tokens === null ? '' : `${numberOf(discovery_tokens)} to find out, `;
  return (
    <section class="panel" aria-labelledby="provenance">
      <h2 id="provenance">Where it comes from</h2>
      <dl class="origin-of">
        <Row name="Written by">
          <PlainText text={[by, extractor].filter(Boolean).join(', ')} />
        </Row>
        {prompt && (
          <Row name="Asked for">
            <span class="clamp" title={prompt}>
              <PlainText text={prompt} />
            </span>
          </Row>
        )}
        <Row name="Trust">
          <PlainText text={trust_reason} />
        </Row>
        {recorded && (
          <Row name="Recorded in">
            <CommitLine commit={recorded} /> {recorded.with_change ? 'with the change' : 'by itself'}
          </Row>
        )}
        {history_ends && <Row name="Recorded in">The history here ends before it.</Row>}
        {reverted_by && <Row name="Reverted">Its change was reverted by {reverted_by.slice(0, 8)}.</Row>}
        {card.session && (
          <Row name="Session">
            <a class="mono" href={linkTo({ view: 'feed', filters: { session: card.session } })}>
              <PlainText text={card.session.slice(0, 13)} />
            </a>
          </Row>
        )}
        <Row name="Tokens">
          {found}
          {numberOf(read_tokens)} to read
        </Row>
      </dl>
    </section>
  );
}

function Row({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CommitLine({ commit: { commit, subject, author, at, url } }: { commit: Commit }): JSX.Element {
  return (
    <span>
      <Outside url={url}>
        <code>{commit.slice(0, 9)}</code>
      </Outside>{' '}
      <PlainText text={subject} />, <PlainText text={author} />, {since(at)}
    </span>
  );
}

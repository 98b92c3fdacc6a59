import type { ComponentChildren, JSX } from 'preact';
import type { RecordPage } from '../../protocol-record.ts';
import { numberOf } from '../dates.ts';
import { linkTo } from '../route.ts';
import { CommitLine } from './commit-line.tsx';
import { PlainText } from './plain-text.tsx';
import { useWords } from './use-words.ts';

/** Who wrote a record, the prompt behind it, how it got here, and what it saves. */
export function Provenance({ page: { card, provenance, used } }: { page: RecordPage }): JSX.Element {
  const { by, extractor, prompt, trust_reason, added, landed, pull_request, discovery_tokens, read_tokens } =
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
        {landed && (
          <Row name="The work">
            <CommitLine commit={landed} />
          </Row>
        )}
        {added && added.commit !== landed?.commit && (
          <Row name="The record">
            <CommitLine commit={added} />
          </Row>
        )}
        {pull_request && <Row name="Request">{pull_request}</Row>}
        {card.session && (
          <Row name="Session">
            <a class="mono" href={linkTo({ view: 'feed', filters: { session: card.session } })}>
              <PlainText text={card.session.slice(0, 13)} />
            </a>
          </Row>
        )}
        {used && <Row name="Used here">{useWords(used)}</Row>}
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

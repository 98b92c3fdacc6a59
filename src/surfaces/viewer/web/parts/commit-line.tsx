import type { JSX } from 'preact';
import type { Commit } from '../../protocol-record.ts';
import { since } from '../dates.ts';
import { Outside } from './outside.tsx';
import { PlainText } from './plain-text.tsx';

export function CommitLine({ commit: { commit, subject, author, at, url } }: { commit: Commit }): JSX.Element {
  return (
    <span>
      <Outside url={url}>
        <code>{commit.slice(0, 9)}</code>
      </Outside>{' '}
      <PlainText text={subject} />, <PlainText text={author} />, {since(at)}
    </span>
  );
}

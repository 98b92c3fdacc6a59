import type { JSX } from 'preact';
import type { Commit } from '../../protocol.ts';
import { since } from '../dates.ts';
import { PlainText } from './plain-text.tsx';

/** A commit in a few words. */
export function CommitLine({ commit: { commit, subject, author, at } }: { commit: Commit }): JSX.Element {
  return (
    <span>
      <code>{commit.slice(0, 9)}</code> <PlainText text={subject} />, <PlainText text={author} />, {since(at)}
    </span>
  );
}

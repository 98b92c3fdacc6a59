import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { splitObservation } from '../../../../memory/body.ts';
import { oneLine } from '../../../../memory/record.ts';
import type { Action, Card, NewRecord } from '../../protocol.ts';
import type { FileOfRecord, RecordPage } from '../../record-protocol.ts';
import { numberOf } from '../dates.ts';
import { shortcuts } from '../keyboard.ts';
import type { ViewProps } from '../route.ts';
import { problemWords } from '../source.ts';
import { Editor } from './editor.tsx';
import { Button, Dialog, Field } from './form.tsx';

type MarkAction = 'pin' | 'verify' | 'retire' | 'redact';

/** The name of each mark, its confirmation, and its meaning. */
const MARKS: Record<MarkAction, { name: string; done: string; about: string }> = {
  pin: { name: 'Pin', done: 'Pinned.', about: 'It is injected into every session, however old it is.' },
  verify: { name: 'Verify', done: 'Verified.', about: 'Somebody looked, and it still holds.' },
  retire: { name: 'Retire', done: 'Retired.', about: 'It no longer holds, and nothing replaces it.' },
  redact: {
    name: 'Redact',
    done: 'Redacted.',
    about:
      'It is hidden everywhere, and its text is kept from being captured again. The file and its history still hold it: `git mem scrub` shows how to remove it.',
  },
};

/** What a page lets a person do with its records. */
export interface Deeds {
  /** Asks for the reason, then makes the mark on all of them. */
  mark(name: MarkAction, ids: string[]): void;
  /** Opens the editor; what it writes replaces the record. */
  edit(id: string): void;
  act(action: Action, words: string): void;
  dialog: JSX.Element | null;
}

/** `onDone` is called with the records after each action. */
export function useDeeds(
  { store, meta }: Pick<ViewProps, 'store' | 'meta'>,
  onDone: (ids: string[]) => void = () => {},
): Deeds {
  const asking = useSignal<{ name: MarkAction; ids: string[] } | undefined>(undefined);
  const edited = useSignal<RecordPage | undefined>(undefined);
  const act = (action: Action, words: string) =>
    void store.act(action, words).then((acted) => acted && 'ids' in action && onDone(action.ids));
  const reason = asking.value && (
    <Reason
      {...asking.value}
      onClose={() => (asking.value = undefined)}
      onGiven={({ name, ids }, given) => act({ action: name, ids, reason: given }, MARKS[name].done)}
    />
  );
  const editor = edited.value && (
    <Editor
      title="Edit this record"
      draft={draftOf(edited.value)}
      store={store}
      meta={meta}
      into={edited.value.card.store}
      onClose={() => (edited.value = undefined)}
    />
  );
  return {
    mark: (name, ids) => {
      asking.value = { name, ids };
    },
    edit: (id) => {
      const fail = (error: unknown) => store.say(problemWords(error), { level: 'error' });
      void store.source.record(id).then((page) => (edited.value = page), fail);
    },
    act,
    dialog: reason ?? editor ?? null,
  };
}

/** The keys for what is selected or current; nothing is bound where nothing can be written. */
export function useDeedKeys(deeds: Deeds, canWrite: boolean, chosen: () => Pick<Card, 'id' | 'kind'>[]): void {
  useEffect(() => {
    if (!canWrite) return;
    const marking = (name: MarkAction) => () => {
      const ids = chosen().flatMap(({ id, kind }) => (kind === 'mark' ? [] : [id]));
      if (ids.length > 0) deeds.mark(name, ids);
    };
    const edit = () => {
      const [one, ...others] = chosen();
      if (one?.kind === 'observation' && others.length === 0) deeds.edit(one.id);
    };
    return shortcuts({ r: marking('retire'), v: marking('verify'), e: edit });
  });
}

interface ReasonProps {
  name: MarkAction;
  ids: string[];
  onClose: () => void;
  onGiven(asked: Pick<ReasonProps, 'name' | 'ids'>, reason: string): void;
}

function Reason({ name, ids, onClose, onGiven }: ReasonProps): JSX.Element {
  const { name: word, about } = MARKS[name];
  return (
    <Dialog title={ids.length > 1 ? `${word} ${ids.length} records` : word} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget).get('reason');
          onClose();
          onGiven({ name, ids }, typeof given === 'string' ? given.trim() : '');
        }}
      >
        <p>{about}</p>
        <Field label="Why, for the reviewer (may be empty)">
          <input name="reason" autocomplete="off" />
        </Field>
        <div class="line end">
          <Button name="Cancel" onClick={onClose} />
          <Button name={word} type="submit" class="primary" />
        </div>
      </form>
    </Dialog>
  );
}

/** A button for each mark, which asks for the reason. */
export function MarkButtons(props: { names: MarkAction[]; ids: string[]; deeds: Deeds }): JSX.Element {
  const { names, ids, deeds } = props;
  const buttons = names.map((name) => {
    const { name: word, about } = MARKS[name];
    return <Button key={name} name={`${word}…`} title={about} onClick={() => deeds.mark(name, ids)} />;
  });
  return <>{buttons}</>;
}

/** Accepts records for this clone. */
export function TrustButton({ ids, act, name = 'Trust' }: { ids: string[]; name?: string } & Pick<Deeds, 'act'>) {
  const trust = () => act({ action: 'trust', ids }, 'Trusted on this clone.');
  return <Button name={name} title="It counts on this clone from now on." onClick={trust} />;
}

/** The actions on what is selected. */
export function Selection(props: {
  ids: string[];
  isTrusted: boolean;
  deeds: Deeds;
  onClear: () => void;
}): JSX.Element | null {
  const { ids, isTrusted, deeds, onClear } = props;
  if (ids.length === 0) return null;
  const words = `${numberOf(ids.length)} selected`;
  return (
    <fieldset class="selection line end" aria-label={words}>
      <span class="soft">{words}</span>
      {!isTrusted && <TrustButton ids={ids} act={deeds.act} />}
      <MarkButtons names={['verify', 'retire']} ids={ids} deeds={deeds} />
      <Button name="Clear" class="quiet" onClick={onClear} />
    </fieldset>
  );
}

/** The actions on a record, one button each. Each writes one more file, like the command line; nothing else is changed. */
export function Actions({ card, deeds }: { card: Card; deeds: Deeds }): JSX.Element | null {
  if (card.kind === 'mark') return null;
  const ids = [card.id];
  const isOver = card.retired || card.superseded_by.length > 0;
  const isMarked = card.pinned || card.verified || card.redacted || isOver;
  const said = { pin: card.pinned || isOver, verify: card.verified || isOver, retire: card.retired, redact: false };
  const names = (['pin', 'verify', 'retire', 'redact'] as const).filter((name) => !said[name] && !card.redacted);
  return (
    <section class="line" aria-label="What to do with this record">
      {card.trust === 'unreviewed' && <TrustButton ids={ids} act={deeds.act} />}
      {card.kind === 'observation' && !card.redacted && (
        <Button
          name="Edit…"
          title="The corrected record takes its place; this one stays in the history."
          onClick={() => deeds.edit(card.id)}
        />
      )}
      <MarkButtons names={names} ids={ids} deeds={deeds} />
      {card.store === 'private' && card.kind !== 'prompt' && (
        <Button
          name="Promote"
          title="The team gets it too, with the next commit."
          onClick={() => deeds.act({ action: 'promote', ids }, 'Copied to the team’s store.')}
        />
      )}
      {isMarked && (
        <Button
          name="Undo marks"
          title="Its marks are taken back: pinned, verified, retired, superseded, redacted."
          onClick={() => deeds.act({ action: 'undo', ids }, 'Its marks are taken back.')}
        />
      )}
    </section>
  );
}

/** A record as the editor's draft for its replacement. */
export function draftOf({ card, markdown, subtitle, files }: RecordPage): NewRecord {
  const paths = (change: FileOfRecord['change']) =>
    files.filter((file) => file.change === change).map(({ path }) => path);
  const { narrative, facts } = splitObservation(markdown) ?? { narrative: markdown, facts: [] };
  return {
    type: card.type,
    title: card.title,
    subtitle,
    narrative,
    // The editor has one fact per line.
    facts: facts.map(oneLine),
    concepts: card.concepts,
    files_modified: paths('modified'),
    files_read: paths('read'),
    supersedes: [card.id],
  };
}

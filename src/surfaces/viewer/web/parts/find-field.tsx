import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { shortcuts } from '../keyboard.ts';

/**
 * How long typing must pause before the search starts, in milliseconds: unnoticeable, and keys that arrive together make
 * one question.
 */
const REST_MS = 10;

/** The search field: `/` focuses it, Escape empties and then leaves it, Enter goes to the results. */
export function FindField(props: { query: string; onQuery(query: string): void; onEnter(): void }): JSX.Element {
  const { query, onQuery, onEnter } = props;
  const field = useRef<HTMLInputElement>(null);
  const text = useSignal(query);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const sent = useRef(query);
  const asked = useRef(query);
  asked.current = query;

  const tell = (value: string) => {
    clearTimeout(timer.current);
    sent.current = value.trim();
    if (sent.current !== query) onQuery(sent.current);
  };
  useEffect(() => {
    // The address changed by other means: a step back, or a link.
    if (query === sent.current) return;
    sent.current = query;
    text.value = query;
  }, [query]);
  useEffect(() => {
    const stop = shortcuts({ '/': () => field.current?.select() });
    // The reader went elsewhere: a pending query would lead back.
    const drop = () => {
      clearTimeout(timer.current);
      sent.current = asked.current;
      text.value = sent.current;
    };
    addEventListener('hashchange', drop);
    return () => {
      stop();
      removeEventListener('hashchange', drop);
      clearTimeout(timer.current);
    };
  }, []);

  return (
    <div class="find-field">
      <span class="find-sign" aria-hidden="true" />
      <input
        ref={field}
        type="search"
        aria-label="Find records"
        aria-keyshortcuts="/"
        placeholder="Find records"
        autocomplete="off"
        spellcheck={false}
        enterkeyhint="search"
        value={text.value}
        onInput={({ currentTarget: { value } }) => {
          text.value = value;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => tell(value), REST_MS);
        }}
        onKeyDown={(event) => {
          // These keys also end an IME composition.
          if (event.isComposing) return;
          if (event.key === 'Escape') {
            event.preventDefault();
            if (text.value === '') return field.current?.blur();
            text.value = '';
            tell('');
          } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
            event.preventDefault();
            tell(text.value);
            onEnter();
          }
        }}
      />
      <span class="find-key" aria-hidden="true">
        /
      </span>
    </div>
  );
}

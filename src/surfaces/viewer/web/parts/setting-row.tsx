import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { asError } from '../../../../errors.ts';
import { SETTING_WORDS } from '../../../../setting-words.ts';
import type { Setting, Settings } from '../../protocol-changes.ts';
import { problemWords } from '../source.ts';
import type { Store } from '../store.ts';

const ORIGINS: Record<Setting['origin'], string> = {
  default: 'default',
  team: 'the team’s file',
  user: 'your file',
  environment: 'environment',
  policy: 'the policy',
};

interface SettingRowProps {
  setting: Setting;
  store: Store;
  onSaved: (after: Settings) => void;
}

/** One setting with its source; for a rejected value the reason is shown, and the field gets its old value back. */
export function SettingRow({ setting, store, onSaved }: SettingRowProps): JSX.Element {
  const id = useId();
  const problem = useSignal<Error | undefined>(undefined);
  const round = useSignal(0);
  const { key, value, origin, users_own } = setting;
  const save = async (next: Setting['value'] | null) => {
    try {
      onSaved(await store.source.setSetting({ key, value: next }));
      problem.value = undefined;
      store.say(next === null ? `${key} is out of your file.` : `${key} is saved.`);
    } catch (error) {
      problem.value = asError(error);
      round.value++;
    }
  };
  const fixed = whyFixed(setting);
  const about = SETTING_WORDS[key];
  return (
    <li>
      <div class="setting-name">
        <label for={id}>{key.split('.').slice(1).join('.') || key}</label>
        {users_own && (
          <span class="state plain" title="The team’s file cannot set it.">
            yours only
          </span>
        )}
        {about && <p class="soft">{about}</p>}
      </div>
      <div class="setting-field">
        <SettingField
          key={round.value}
          id={id}
          setting={setting}
          isFixed={fixed !== undefined}
          noteId={`${id}-note`}
          onChange={(next) => void save(next)}
        />
        <p id={`${id}-note`} class={problem.value ? 'wrong' : 'soft'} role={problem.value ? 'alert' : undefined}>
          {problem.value ? problemWords(problem.value) : fixed}
        </p>
      </div>
      <span class={`state ${origin === 'default' ? 'plain' : 'pinned'}`} title={String(value)}>
        {ORIGINS[origin]}
      </span>
      <span class="reset">
        {origin === 'user' && !setting.terminal_only && (
          <button
            type="button"
            class="quiet"
            onClick={() => void save(null)}
            aria-label={`Reset ${key}: take it out of your file`}
          >
            Reset
          </button>
        )}
      </span>
    </li>
  );
}

/** The control for a setting, depending on the type of its value. */
function SettingField({
  id,
  setting: { value, choices },
  isFixed,
  noteId,
  onChange,
}: {
  id: string;
  setting: Setting;
  isFixed: boolean;
  noteId: string;
  onChange: (value: Setting['value']) => void;
}): JSX.Element {
  const common = { id, disabled: isFixed, 'aria-describedby': noteId };
  if (typeof value === 'boolean') {
    return (
      <input {...common} type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
    );
  }
  if (choices !== null) {
    return (
      <select {...common} value={String(value)} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  const isList = Array.isArray(value);
  return (
    <input
      {...common}
      value={isList ? value.join(', ') : String(value)}
      placeholder={isList ? 'none; separate by commas' : 'empty'}
      inputMode={typeof value === 'number' ? 'numeric' : undefined}
      autocomplete="off"
      spellcheck={false}
      onChange={(event) => onChange(readAs(value, event.currentTarget.value.trim()))}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}

/**
 * The text converted to the same type; anything that is not a number is sent unchanged, and the server reports the
 * error.
 */
function readAs(before: Setting['value'], text: string): Setting['value'] {
  if (typeof before === 'number') return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  if (!Array.isArray(before)) return text;
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** Why a setting cannot be changed here; undefined if it can. */
function whyFixed({ key, value, origin, terminal_only }: Setting): string | undefined {
  if (origin === 'environment') return `GIT_MEM_${key.replaceAll('.', '_').toUpperCase()} sets it.`;
  if (origin === 'policy') return 'The policy of your organisation sets it.';
  if (terminal_only) return `In a terminal: git mem config ${key} VALUE`;
  if (Array.isArray(value) && value.includes(String({}))) return 'It has parts of its own: edit it in the file.';
  return undefined;
}

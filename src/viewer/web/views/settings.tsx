import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import type { Setting, Settings } from '../../protocol.ts';
import { Problem } from '../parts/problem.tsx';
import type { Store } from '../store.ts';
import type { ViewProps } from '../view-props.ts';

const ORIGINS: Record<Setting['origin'], string> = {
  default: 'default',
  team: 'the team’s file',
  user: 'your file',
  environment: 'environment',
};

/** Every setting with its origin; changes go to the user's own file and nowhere else. */
export function SettingsView({ store }: ViewProps): JSX.Element {
  const loaded = useSignal<Settings | undefined>(undefined);
  const problem = useSignal<Error | undefined>(undefined);
  useEffect(() => {
    store.source.settings().then(
      (found) => {
        loaded.value = found;
      },
      (error: unknown) => {
        problem.value = error instanceof Error ? error : new Error(String(error));
      },
    );
  }, []);
  const { value } = loaded;
  return (
    <div class="settings-page">
      <h1>Settings</h1>
      {problem.value && <Problem error={problem.value} />}
      {!value && !problem.value && <div class="skeleton tall" />}
      {value && (
        <>
          <p class="soft">
            What you change here goes to your own file, <code>{value.file}</code>. The team’s file is edited by hand and
            reviewed; keys that send data, spend money or run programs count only in yours.
          </p>
          {value.warnings.map((warning) => (
            <p key={warning} class="problem">
              {warning}
            </p>
          ))}
          {sectionsOf(value.settings).map(([name, settings]) => (
            <section key={name} class="panel" aria-label={name}>
              <h2>{name}</h2>
              <ul class="settings">
                {settings.map((setting) => (
                  <SettingRow
                    key={setting.key}
                    setting={setting}
                    store={store}
                    onSaved={(after) => {
                      loaded.value = after;
                    }}
                  />
                ))}
              </ul>
            </section>
          ))}
        </>
      )}
    </div>
  );
}

function SettingRow({
  setting,
  store,
  onSaved,
}: {
  setting: Setting;
  store: Store;
  onSaved: (after: Settings) => void;
}): JSX.Element {
  const id = useId();
  const { key, value, origin, choices, users_own } = setting;
  const save = async (next: Setting['value'] | null) => {
    try {
      onSaved(await store.source.setSetting({ key, value: next }));
      store.say(next === null ? `${key} is out of your file.` : `${key} is saved.`);
    } catch (error) {
      store.say(error instanceof Error ? error.message : String(error), { level: 'error' });
      onSaved(await store.source.settings());
    }
  };
  return (
    <li>
      <label for={id}>
        <code>{key.split('.').slice(1).join('.') || key}</code>
        {users_own && <span class="state plain">yours only</span>}
      </label>
      <Field
        id={id}
        value={value}
        choices={choices}
        isFixed={origin === 'environment'}
        onChange={(next) => void save(next)}
      />
      <span class="soft origin">{ORIGINS[origin]}</span>
      <span class="reset">
        {origin === 'user' && (
          <button
            type="button"
            class="quiet"
            onClick={() => void save(null)}
            aria-label={`Take ${key} out of your file`}
          >
            reset
          </button>
        )}
      </span>
    </li>
  );
}

/** The control for a value: what it is decides how it is changed. */
function Field({
  id,
  value,
  choices,
  isFixed,
  onChange,
}: {
  id: string;
  value: Setting['value'];
  choices: string[] | null;
  isFixed: boolean;
  onChange: (value: Setting['value']) => void;
}): JSX.Element {
  if (typeof value === 'boolean') {
    return (
      <input
        id={id}
        type="checkbox"
        checked={value}
        disabled={isFixed}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  if (choices !== null) {
    return (
      <select
        id={id}
        value={String(value)}
        disabled={isFixed}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  if (typeof value === 'number') {
    return (
      <input
        id={id}
        type="number"
        min={0}
        value={value}
        disabled={isFixed}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    );
  }
  return (
    <input
      id={id}
      value={Array.isArray(value) ? value.join(', ') : String(value)}
      placeholder={Array.isArray(value) ? 'none; separate by commas' : 'empty'}
      disabled={isFixed}
      autocomplete="off"
      spellcheck={false}
      onChange={({ currentTarget: { value: text } }) => {
        if (Array.isArray(value))
          onChange(
            text
              .split(',')
              .map((part) => part.trim())
              .filter(Boolean),
          );
        else onChange(text);
      }}
    />
  );
}

/** Keys by the word before their dot; those without one come first. */
function sectionsOf(settings: Setting[]): [name: string, settings: Setting[]][] {
  const sections = new Map<string, Setting[]>([['general', []]]);
  for (const setting of settings) {
    const name = setting.key.includes('.') ? (setting.key.split('.')[0] ?? '') : 'general';
    sections.set(name, [...(sections.get(name) ?? []), setting]);
  }
  return [...sections];
}

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Setting, Settings } from '../../protocol-changes.ts';
import { useLoading } from '../loading.ts';
import { Problem } from '../parts/problem.tsx';
import { SettingRow } from '../parts/setting-row.tsx';
import type { ViewProps } from '../view-props.ts';

/** Every setting with its source; changes go only to the user's own file. */
export function SettingsView({ store }: ViewProps): JSX.Element {
  const { value: loaded, problem } = useLoading(store, (source) => source.settings());
  const saved = useSignal<Settings | undefined>(undefined);
  const value = saved.value ?? loaded;
  return (
    <div class="settings-page">
      <h1>Settings</h1>
      {problem && <Problem error={problem} />}
      {!value && !problem && <div class="skeleton tall" aria-busy="true" />}
      {value && (
        <>
          <p class="soft reading">
            What you change here goes to your own file, <code class="path">{value.file}</code>, and nowhere else. The
            team’s file, <code>.memory/config.yaml</code>, is edited by hand and reviewed.
          </p>
          {value.warnings.map((warning) => (
            <p key={warning} class="problem">
              {warning}
            </p>
          ))}
          {sectionsOf(value.settings).map(([name, settings]) => (
            <section key={name} class="panel" aria-label={name}>
              <h2 class="capital">{name}</h2>
              <ul class="settings">
                {settings.map((setting) => (
                  <SettingRow
                    key={setting.key}
                    setting={setting}
                    store={store}
                    onSaved={(after) => {
                      saved.value = after;
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

/** Settings grouped by the word before the dot in their keys; those without one come first. */
function sectionsOf(settings: Setting[]): [name: string, settings: Setting[]][] {
  const sections = new Map<string, Setting[]>([['general', []]]);
  for (const setting of settings) {
    const name = setting.key.includes('.') ? (setting.key.split('.')[0] ?? '') : 'general';
    sections.set(name, [...(sections.get(name) ?? []), setting]);
  }
  return [...sections];
}

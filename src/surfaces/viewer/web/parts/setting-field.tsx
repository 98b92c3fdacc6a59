import type { JSX } from 'preact';
import type { Setting } from '../../protocol-changes.ts';

/** The control for a setting, depending on the type of its value. */
export function SettingField({
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

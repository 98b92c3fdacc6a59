import type { JSX } from 'preact';
import { Dialog } from './dialog.tsx';

const KEYS: [keys: string[], what: string][] = [
  [['/'], 'find'],
  [['j', 'k'], 'next and previous record'],
  [['Enter'], 'open the record'],
  [['Esc'], 'leave the search, close what is open'],
  [['g f'], 'go to the feed'],
  [['?'], 'this help'],
];

/** What the keys do. */
export function Help({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

import type { JSX } from 'preact';
import { Dialog } from './dialog.tsx';

type Key = [keys: string[], what: string];

const KEYS: Key[] = [
  [['/'], 'find'],
  [['j', 'k'], 'next and previous record'],
  [['Enter'], 'open the record'],
  [['Esc'], 'leave the search, go back, close what is open'],
];

interface HelpProps {
  pages: { key: string; name: string }[];
  canWrite: boolean;
  onClose: () => void;
}

/** The list of keyboard shortcuts. */
export function Help({ pages, canWrite, onClose }: HelpProps): JSX.Element {
  const keys: Key[] = [
    ...KEYS,
    ...(canWrite ? [[['n'], 'write a new record'] satisfies Key] : []),
    ...pages.map(({ key, name }): Key => [['g', key], `go to ${name}`]),
    [['?'], 'this help'],
  ];
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <dl class="keys">
        {keys.map(([keys, what]) => (
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

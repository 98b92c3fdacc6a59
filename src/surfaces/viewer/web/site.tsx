// The pages of the static site, from the data in the page itself.
import { render } from 'preact';
import { asError } from '../../../errors.ts';
import { App } from './app.tsx';
import { Problem } from './parts/form.tsx';
import { staticSource, unpacked } from './static-source.ts';

const root = document.getElementById('app');
const data = document.getElementById('data')?.textContent;
if (root && data) {
  unpacked(data).then(
    (site) => {
      const source = staticSource(site);
      render(<App sourceOf={() => source} />, root);
    },
    (error: unknown) => render(<Problem error={asError(error)} />, root),
  );
}

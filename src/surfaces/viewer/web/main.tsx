// The pages of a running viewer.
import { render } from 'preact';
import { App } from './app.tsx';
import { liveSource } from './live-source.ts';

// The token is no longer needed: it should not stay in the address bar or in a copied address.
if (new URLSearchParams(location.search).has('token')) {
  history.replaceState(null, '', location.pathname + location.hash);
}
const root = document.getElementById('app');
if (root) render(<App sourceOf={liveSource} />, root);

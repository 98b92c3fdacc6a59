// The pages of a running viewer.
import { render } from 'preact';
import { App } from './app.tsx';
import { liveSource } from './live-source.ts';

const root = document.getElementById('app');
if (root) render(<App sourceOf={liveSource} />, root);

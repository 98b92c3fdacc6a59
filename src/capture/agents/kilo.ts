import type { Agent } from './event.ts';
import { opencode } from './opencode.ts';

/** Kilo's command line is OpenCode's with other folders: the same plugin works for it. Source: payloads of 7.7.9. */
export const kilo: Agent = {
  ...opencode,
  name: 'kilo',
  setup: {
    title: 'Kilo',
    signs: { paths: ['.kilo', 'kilo.json'], programs: ['kilo'] },
    // The plugin reports as `kilo` when it is in this folder.
    hooks: [{ path: '.kilo/plugin/git-mem.js', template: 'hosts/opencode.js', kind: 'own' }],
    mcp: [{ path: 'kilo.json', shape: 'opencode', hosts: { $schema: 'https://app.kilo.ai/config.json' } }],
    skills: { folder: '.agents/skills' },
    shell: { marks: ['KILO'] },
    next: ['Start Kilo in {root}: it loads the plugin without asking.'],
  },
};

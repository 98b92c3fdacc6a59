import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Question } from '../../src/capture/agents/event.ts';
import { warm } from '../../src/index/warm.ts';
import type { Source } from '../../src/inject/briefing/briefing-lines.ts';
import { sessionBriefing } from '../../src/inject/briefing/session-briefing.ts';
import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { loadSettings } from '../../src/provenance/settings.ts';
import { hookReply } from '../../src/surfaces/hook/reply.ts';
import type { TestRepository } from './repository.ts';

/** Everything that is injected into a session: at each kind of start, on a prompt and before a file is read. */
export async function allThatIsTold(
  { root, env }: TestRepository,
  { prompt, file }: { prompt: string; file: string },
): Promise<string[]> {
  const workspace = openWorkspace(root, env);
  const { config } = loadSettings(workspace);
  const texts: string[] = [];
  for (const source of ['startup', 'compact', 'clear', 'resume'] satisfies Source[]) {
    texts.push((await sessionBriefing(workspace, config, { source, session: 'now' })).text);
  }
  rmSync(join(workspace.layout.state, 'injected'), { recursive: true, force: true });
  await warm(workspace);
  const ask = (event: string, question: Question) =>
    hookReply({ host: 'claude-code', event, checkout: workspace.checkout, wake: false, question }, env);
  texts.push(await ask('UserPromptSubmit', { kind: 'prompt', session: 's', reader: 's1', text: prompt }));
  texts.push(await ask('PreToolUse', { kind: 'read', session: 's', reader: 's2', cwd: root, paths: [file] }));
  return texts;
}

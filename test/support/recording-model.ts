import { openLoopback } from './loopback.ts';
import { openAiLike } from './model-protocols.ts';
import type { TestRepository } from './repository.ts';

/**
 * Sets a model on the loopback interface for a repository, as Ollama: it makes one record of every turn with an
 * edit that it is asked about, in the agent's words. Returns what it was asked.
 */
export async function setModel(repository: Pick<TestRepository, 'env'>): Promise<string[]> {
  const asked: string[] = [];
  const { url } = await openLoopback<Record<string, unknown>>([
    (response, call) => {
      const question = JSON.stringify(call.body);
      asked.push(question);
      openAiLike('ollama').said({ text: JSON.stringify(answerTo(question)) })(response, call);
    },
  ]);
  const settings = { GIT_MEM_EXTRACT_PROVIDER: 'ollama', GIT_MEM_EXTRACT_BASE_URL: `${url}/v1` };
  Object.assign(repository.env, settings);
  return asked;
}

function answerTo(question: string) {
  const turns = question
    .replaceAll('\\n', '\n')
    .split(/^## Turn (?=\d)/m)
    .slice(1);
  const observations = turns.flatMap((turn) => {
    const file = /^> (?:edit|write) (\S+)/m.exec(turn)?.[1];
    if (file === undefined) return [];
    const row = /LIMIT = (\d+)(?![\s\S]*LIMIT = \d)|drops row (\d+)/.exec(turn)?.slice(1).find(Boolean) ?? '1';
    return [
      {
        turn: /^\d+/.exec(turn)?.[0] ?? '1',
        type: 'bugfix',
        title: `Row ${row} was dropped because LIMIT cut every batch`,
        subtitle: '',
        narrative: /^AGENT: (.*)$/m.exec(turn)?.[1] ?? '',
        facts: ['`npm test` failed first, then passed.'],
        concepts: [],
        files_read: [],
        files_modified: [file],
        supersedes: [],
      },
    ];
  });
  const none = { investigated: [], completed: [], next_steps: [], notes: [] };
  const summary = { request: 'Keep the rows.', learned: observations.map(({ title }) => `${title}.`), ...none };
  return { summary, observations };
}

import type { ServerResponse } from 'node:http';
import { type Loopback, type SeenCall, startLoopback } from './loopback.ts';

/** One answer of a model: a tool call or, without one, its final text of the turn. */
export interface Step {
  text?: string;
  tool?: { name: string; input: Record<string, unknown> };
}

/** A model that answers by a script, in one provider's protocol. */
export interface ScriptedModel {
  url: string;
  /** What it is to answer next; what is left over of an earlier script is forgotten. */
  script(steps: Step[]): void;
  /** The bodies of the requests of the conversation, as text, oldest first. */
  requests(): string[];
}

/** How a provider's protocol spells an answer. */
interface Protocol {
  /** Tells whether a request is a turn of the conversation: clients ask for titles and the like as well. */
  isTurn(call: SeenCall): boolean;
  answer(response: ServerResponse, step: Step, n: number, request: Record<string, unknown>): void;
  /** What everything else gets. */
  otherwise(response: ServerResponse, call: SeenCall): void;
}

export async function startScriptedModel(protocol: Protocol): Promise<ScriptedModel> {
  let steps: Step[] = [];
  const turns: string[] = [];
  const { url }: Loopback = await startLoopback((response, call) => {
    if (!protocol.isTurn(call)) return protocol.otherwise(response, call);
    turns.push(JSON.stringify(call.body));
    protocol.answer(response, steps.shift() ?? { text: 'The script is over.' }, turns.length, call.body);
  });
  return { url, script: (next) => (steps = [...next]), requests: () => turns };
}

/** Anthropic's Messages, as server-sent events. */
export const MESSAGES: Protocol = {
  isTurn: ({ path, body }) => /^\/v1\/messages(\?|$)/.test(path) && Array.isArray(body.tools) && body.tools.length > 0,
  answer(response, { text, tool }, n) {
    const usage = { input_tokens: 100, output_tokens: 10 };
    const block = tool
      ? { type: 'tool_use', id: `toolu_${n}`, name: tool.name, input: {} }
      : { type: 'text', text: '' };
    const delta = tool
      ? { type: 'input_json_delta', partial_json: JSON.stringify(tool.input) }
      : { type: 'text_delta', text };
    const message = { id: `msg_${n}`, type: 'message', role: 'assistant', model: 'stub', content: [], usage };
    events(response, [
      ['message_start', { message: { ...message, stop_reason: null, stop_sequence: null } }],
      ['content_block_start', { index: 0, content_block: block }],
      ['content_block_delta', { index: 0, delta }],
      ['content_block_stop', { index: 0 }],
      ['message_delta', { delta: { stop_reason: tool ? 'tool_use' : 'end_turn', stop_sequence: null }, usage }],
      ['message_stop', {}],
    ]);
  },
  otherwise: (response, { path }) =>
    json(response, /count_tokens/.test(path) ? { input_tokens: 100 } : { content: [], usage: {} }),
};

/** OpenAI's Responses, as Codex reads them. Its model has one tool, which runs JavaScript: `input.code`. */
export const RESPONSES: Protocol = {
  isTurn: ({ path }) => /\/responses$/.test(path),
  answer(response, { text = '', tool }, n) {
    const item = tool
      ? { type: 'custom_tool_call', id: `ct_${n}`, call_id: `call_${n}`, name: tool.name, input: tool.input.code }
      : { type: 'message', id: `m_${n}`, role: 'assistant', content: [{ type: 'output_text', text }] };
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 110,
    };
    events(response, [
      ['response.created', { response: { id: `resp_${n}` } }],
      ['response.output_item.done', { output_index: 0, item }],
      ['response.completed', { response: { id: `resp_${n}`, usage } }],
    ]);
  },
  otherwise: (response) => json(response, { models: [], data: [] }),
};

/** Google's generateContent. */
export const GENERATE_CONTENT: Protocol = {
  isTurn: ({ path, body }) =>
    /generateContent/i.test(path) && JSON.stringify(body.tools ?? []).includes('functionDecl'),
  answer(response, { text = '', tool }) {
    const part = tool ? { functionCall: { name: tool.name, args: tool.input } } : { text };
    const content = { role: 'model', parts: [part] };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
    const body = { candidates: [{ content, finishReason: 'STOP', index: 0 }], usageMetadata, modelVersion: 'stub' };
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(body)}\n\n`);
  },
  otherwise: (response, { path }) => {
    const parts = [{ text: '{"next_speaker":"user","reasoning":"x"}' }];
    const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }];
    json(response, /countTokens/.test(path) ? { totalTokens: 100 } : { candidates });
  },
};

/** OpenAI's Chat Completions, in one piece or as server-sent events. */
export const CHAT: Protocol = {
  isTurn: ({ path, body }) => /chat\/completions/.test(path) && Array.isArray(body.tools) && body.tools.length > 0,
  answer(response, { text, tool }, n, body) {
    const call = tool && { name: tool.name, arguments: JSON.stringify(tool.input) };
    const calls = call && [{ index: 0, id: `call_${n}`, type: 'function', function: call }];
    completion(response, body, { content: text ?? null, ...(calls && { tool_calls: calls }) });
  },
  otherwise(response, { path, body }) {
    if (/chat\/completions/.test(path)) completion(response, body, { content: 'A title' });
    else json(response, { object: 'list', data: [{ id: 'gpt-4.1', object: 'model' }] });
  },
};

function completion(
  response: ServerResponse,
  { stream }: Record<string, unknown>,
  said: Record<string, unknown>,
): void {
  const finish_reason = 'tool_calls' in said ? 'tool_calls' : 'stop';
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const common = { id: 'chat_1', created: 1, model: 'stub' };
  const message = { role: 'assistant', ...said };
  if (stream !== true) {
    const choices = [{ index: 0, message, finish_reason }];
    json(response, { ...common, object: 'chat.completion', choices, usage });
    return;
  }
  const chunk = (choices: object[], more = {}) =>
    response.write(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices, ...more })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  chunk([{ index: 0, delta: message, finish_reason: null }]);
  chunk([{ index: 0, delta: {}, finish_reason }]);
  chunk([], { usage });
  response.end('data: [DONE]\n\n');
}

function events(response: ServerResponse, list: [type: string, data: object][]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [type, data] of list) response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  response.end();
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

import { json, type Loopback, openLoopback, type Reaction } from './loopback.ts';

/** A question in the Anthropic Messages API. */
type Question = {
  model: string;
  max_tokens: number;
  system: string;
  messages: { role: string; content: string }[];
  tools: { name: string; input_schema: Record<string, unknown> }[];
  tool_choice: Record<string, unknown>;
};

/** Answers one request. */
export type Answer = Reaction<Question>;

/** A server on loopback that speaks the Anthropic Messages API and answers by a script. */
export type MessagesApi = Loopback<Question>;

/** Starts the server; the n-th request gets the n-th answer, later ones a 400. `atEnd` gets what closes it. */
export function startMessagesApi(script: Answer[], atEnd?: (close: () => void) => void): Promise<MessagesApi> {
  const over = apiError(400, 'invalid_request_error', 'The script has no answer left.');
  return openLoopback([...script, over], atEnd);
}

/** The model calls the tool it was told to call. */
export function toolCall(input: unknown, stopReason = 'tool_use', usage: Record<string, number> = {}): Answer {
  return (response, request) => {
    const name = request.body.tools[0]?.name;
    json(200, message([{ type: 'tool_use', id: 'toolu_01', name, input }], stopReason, usage))(response, request);
  };
}

/** The model writes text instead. */
export function prose(text: string, stopReason = 'end_turn'): Answer {
  return json(200, message([{ type: 'text', text }], stopReason));
}

/** The API's error object. */
export function apiError(status: number, type: string, text: string, headers: Record<string, string> = {}): Answer {
  return json(status, { type: 'error', error: { type, message: text } }, headers);
}

function message(content: unknown[], stopReason: string, usage: Record<string, number> = {}) {
  return {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5-20251001',
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: { input_tokens: 1200, output_tokens: 300, ...usage },
  };
}

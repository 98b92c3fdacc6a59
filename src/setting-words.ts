/** What each setting decides, in a sentence: for the viewer, the JSON Schema and docs/configuration.md. */
export const SETTING_WORDS: Record<string, string> = {
  'capture.destination':
    'The store that captured records go to: team, private, or inbox, where they are private until a person accepts them (git mem inbox).',
  'capture.skip_tools': 'Tools whose calls are not captured; names may have wildcards.',
  'capture.ignore_paths': 'Files whose events are not remembered; paths may have wildcards.',
  'capture.idle_after': 'How long a turn without an end event waits before it counts as complete.',
  'capture.ask':
    'When agents are asked to save what they learned: never, before a commit and after a turn that saved nothing, or at the end of a turn as well.',
  'extract.provider':
    'Which model writes records from the events of a session. With none, only people and agents write records; auto means Anthropic where a key is set, else none.',
  'extract.model': 'The provider’s model; empty for its default.',
  'extract.base_url': 'The provider’s address; empty for its default.',
  'extract.api_key_env': 'Name of the environment variable that holds the key.',
  'extract.api_key_command': 'A command that prints the key.',
  'extract.language': 'Language that records are written in, as a tag such as pt-BR.',
  'extract.mode': 'The kind of work: it decides what is worth remembering and which types records have.',
  'extract.daily_tokens': 'Cap on the tokens that a paid provider may use in a day.',
  'extract.fallback': 'A provider with its usual settings that is asked when the first one fails; empty for none.',
  'extract.fallback_after': 'How long a session waits for a provider before only its digest is left.',
  summaries: 'Whether a summary is written once a session or after each turn.',
  'briefing.tokens': 'Largest size of what is injected at session start, in tokens.',
  'briefing.observations': 'Most observations on the work at hand in it; of others there are at most eight.',
  'briefing.summaries': 'Most sessions in it.',
  'recall.prompt': 'Whether records that match a prompt are injected with it.',
  'recall.read': 'Whether records about a file are injected when it is read or edited.',
  'recall.tokens': 'Largest size of each of these injections, in tokens.',
  'trust.inject_unreviewed':
    'Whether records that nobody reviewed are injected too. Anybody who can push a branch could then write to your agent.',
  'privacy.redact': 'Literal texts that are redacted before anything is written; they may have wildcards.',
  'privacy.prompts': 'Whether your prompts are kept, in the private store.',
  'embed.provider': 'Which model compares meanings; local needs no download and sends nothing.',
  'embed.model': 'The provider’s model; empty for its default.',
  'embed.base_url': 'Address of any server that speaks the OpenAI protocol.',
  'embed.api_key_env': 'Name of the environment variable that holds the key.',
  types: 'Observation types of the team’s own, beside the built-in ones.',
  commit: 'Whether new records join your next commit, through git’s pre-commit hook, or wait until you add them.',
  'hub.url': 'Address of your organisation’s hub, for `git mem search --hub`; GIT_MEM_HUB_TOKEN holds your token.',
};

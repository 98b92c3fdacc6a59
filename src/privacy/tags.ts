/** What `stripPrivate` does with a tag: `drop` also removes the content, `unwrap` only the tag. */
type Fate = 'private' | 'drop' | 'unwrap';

/**
 * Tags that are not the user's words. Hosts inject reminders, command output and file notices; claude-mem and git-mem
 * inject memory, which must not be remembered a second time.
 */
const FATES: Record<string, Fate> = {
  private: 'private',
  'system-reminder': 'drop',
  'system-instruction': 'drop',
  'system-instructions': 'drop',
  'persisted-output': 'drop',
  'claude-mem-context': 'drop',
  'git-mem-memory': 'drop',
  'hook-context': 'drop',
  'task-notification': 'drop',
  'local-command-stdout': 'drop',
  'local-command-stderr': 'drop',
  'local-command-caveat': 'drop',
  'command-name': 'drop',
  'command-message': 'drop',
  'bash-stdout': 'drop',
  'bash-stderr': 'drop',
  'ide-opened-file': 'drop',
  'ide-selection': 'drop',
  'environment-context': 'drop',
  'user-instructions': 'drop',
  // The user's input after a slash command or a `!`, and text that Gemini and Cursor wrap.
  'command-args': 'unwrap',
  'bash-input': 'unwrap',
  'untrusted-context': 'unwrap',
  'user-query': 'unwrap',
};

const NAMES = Object.keys(FATES).map((name) => name.replaceAll('-', '[-_]'));
// A tag may be in escaped JSON, perhaps escaped more than once; [^<>] keeps every attempt within one tag.
const TAG = new RegExp(
  `(?:<|\\\\{1,8}u003c)(\\/|\\\\{1,8}\\/)?(${NAMES.join('|')})((?:\\s(?:(?!\\\\u003)[^<>]){0,500})?\\/?)(?:>|\\\\{1,8}u003e)`,
  'giu',
);

interface Tag {
  name: string;
  fate: Fate;
  closes: boolean;
  empty: boolean;
  start: number;
  end: number;
}

/**
 * Removes `<private>` blocks and the blocks that hosts and memory tools inject. An unclosed `<private>` removes the
 * rest of the text; any other lone tag is only removed itself, since people also write about tags.
 */
export function stripPrivate(text: string): string {
  if (!/<|u003c/iu.test(text)) return text;
  const tags = Array.from(text.matchAll(TAG), toTag);
  if (tags.length === 0) return text;
  const ends = matchingEnds(tags);
  let result = '';
  let at = 0;
  for (const [index, tag] of tags.entries()) {
    const opens = !tag.closes && !tag.empty && tag.fate !== 'unwrap';
    const end = opens ? ends[index] : tag.end;
    // A lone <private> inside a block that is removed anyway is the host's text about tags, not the user's wish.
    if (end === undefined && tag.fate === 'private' && tag.start >= at) return result + text.slice(at, tag.start);
    if (tag.start > at) result += text.slice(at, tag.start);
    at = Math.max(at, end ?? tag.end);
  }
  return result + text.slice(at);
}

function toTag(match: RegExpExecArray): Tag {
  const name = (match[2] ?? '').toLowerCase().replaceAll('_', '-');
  return {
    name,
    fate: FATES[name] ?? 'unwrap',
    closes: match[1] !== undefined,
    empty: (match[3] ?? '').endsWith('/'),
    start: match.index,
    end: match.index + match[0].length,
  };
}

/** For each opening tag the offset after its closing tag; same-named tags nest, different ones may overlap. */
function matchingEnds(tags: Tag[]): (number | undefined)[] {
  const ends = new Array<number | undefined>(tags.length);
  const open = new Map<string, number[]>();
  for (const [index, tag] of tags.entries()) {
    const stack = open.get(tag.name) ?? [];
    if (tag.closes) {
      const opener = stack.pop();
      if (opener !== undefined) ends[opener] = tag.end;
    } else if (!tag.empty) {
      stack.push(index);
    }
    open.set(tag.name, stack);
  }
  return ends;
}

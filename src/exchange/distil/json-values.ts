import { GitMemError } from '../../errors.ts';
import { jsonIn } from '../../json.ts';

/** The JSON values in a text, one after the other, as several calls of `gh api` print them; throws bad-input. */
export function jsonValues(text: string): unknown[] {
  const values: unknown[] = [];
  let [depth, start, isText] = [0, -1, false];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isText) {
      if (char === '\\') at++;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === '{' || char === '[') {
      if (depth++ === 0) start = at;
    } else if ((char === '}' || char === ']') && --depth === 0) values.push(parsed(text.slice(start, at + 1)));
  }
  if (values.length === 0 || depth !== 0) throw noJson();
  return values;
}

function parsed(text: string): unknown {
  const value = jsonIn(text);
  if (value === undefined) throw noJson();
  return value;
}

function noJson(): GitMemError {
  return new GitMemError('bad-input', 'The discussion is not JSON.', {
    hint: 'Give what `gh api` or `gh pr view --json` prints, or what the API of GitLab answers.',
  });
}

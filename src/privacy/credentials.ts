import { ADDRESS_PLACES } from './address-places.ts';
import { ANNOUNCEMENTS } from './announcements.ts';
import { ANSWER_PLACES } from './answer-places.ts';
import { CALL_PLACES } from './call-places.ts';
import { COMMAND_PLACES } from './command-places.ts';
import { FILE_PLACES } from './file-places.ts';
import { type Finding, matchesOf } from './findings.ts';
import { GIVEN_PLACES } from './given-places.ts';
import { hintsIn } from './hints.ts';
import { LABEL_PLACES } from './label-places.ts';
import { COMMON_PLACES } from './places.ts';
import { PROGRAM_PLACES } from './program-places.ts';
import { QUESTION_PLACES } from './question-places.ts';
import { isMask, isStandIn, looksRandom } from './secret-values.ts';

/** Every place, the common ones first: if findings overlap, the first one determines the kind. */
export const PLACES = [
  ...[...ADDRESS_PLACES, ...COMMON_PLACES, ...ANNOUNCEMENTS, ...PROGRAM_PLACES, ...COMMAND_PLACES],
  ...[...CALL_PLACES, ...FILE_PLACES, ...ANSWER_PLACES, ...LABEL_PLACES, ...QUESTION_PLACES, ...GIVEN_PLACES],
];

/** Finds credentials by their position: in addresses, headers, cookies, command lines, login files and SQL. */
export function findCredentials(text: string): Finding[] {
  const holds = hintsIn(text);
  const possible = PLACES.filter(({ hints }) => hints.some(holds));
  return possible.flatMap(({ kind, pattern, accepts }) =>
    matchesOf(text, pattern).flatMap((match): Finding[] => {
      const value = match.slice(1).find((group) => group !== undefined);
      if (value === undefined || isMask(value.replace(/^[A-Za-z]{2,12}[-_.](?=.{8})/u, ''))) return [];
      const start = startOfGroup(match, value);
      if (kind === 'session') return cookieValues(value, start);
      return accepts(value, match[0]) ? [{ start, end: start + value.length, kind }] : [];
    }),
  );
}

/** The group's offset: it ends near the end of the match, so its last occurrence is the right one. */
function startOfGroup(match: RegExpExecArray, value: string): number {
  return match.index + match[0].lastIndexOf(value);
}

function cookieValues(header: string, start: number): Finding[] {
  return matchesOf(header, /([\w.-]{1,80})=([^;\s,]{8,4000})/g)
    .filter(([, name = '', value = '']) => isCookieSecret(name, value))
    .map((match) => {
      const from = start + match.index + (match[1] ?? '').length + 1;
      return { start: from, end: from + (match[2] ?? '').length, kind: 'session' };
    });
}

function isCookieSecret(name: string, value: string): boolean {
  if (isStandIn(value) || /^\d{4}-\d\d-\d\d/u.test(value) || /^(?:expires|max-age|path|domain|samesite)$/iu.test(name))
    return false;
  return looksRandom(value) && (value.length >= 20 || /sess|sid|auth|token|jwt|csrf|xsrf|remember|login/iu.test(name));
}

import { ADDRESS_PLACES } from './address-places.ts';
import { CALL_PLACES } from './call-places.ts';
import { COMMAND_PLACES } from './command-places.ts';
import { FILE_PLACES } from './file-places.ts';
import { type Finding, isMarkedKind, matchesOf } from './findings.ts';
import { hintsIn } from './hints.ts';
import type { Place } from './place.ts';
import { looksRandom } from './randomness.ts';
import { isMask, isStandIn } from './stand-ins.ts';
import { isSecret } from './values.ts';

/** Every place; if findings overlap, the first one determines the kind. */
export const PLACES: readonly Place[] = [...ADDRESS_PLACES, ...COMMAND_PLACES, ...CALL_PLACES, ...FILE_PLACES];

/** Finds credentials by their position: in addresses, headers, cookies, command lines, calls and files of logins. */
export function findInPlaces(text: string): Finding[] {
  const holds = hintsIn(text);
  return PLACES.filter(({ hints }) => hints.some(holds)).flatMap((place) =>
    matchesOf(text, place.pattern).flatMap((match): Finding[] => {
      const value = match.slice(1).find((group) => group !== undefined);
      if (value === undefined || isMask(value.replace(/^[A-Za-z]{2,12}[-_.](?=.{8})/u, ''))) return [];
      // The group ends near the end of the match, so its last occurrence is the right one.
      const start = match.index + match[0].lastIndexOf(value);
      // A redaction marker is not a login: `[redacted:token]-more@host`.
      if (isMarkedKind(text, start, start + value.indexOf(']'))) return [];
      if (place.kind === 'session') return cookieValues(value, start);
      const { need, kind } = place;
      const isEnough = typeof need === 'function' ? need(value) : isSecret(value, need);
      return isEnough && !place.refuses?.(value, match[0]) ? [{ start, end: start + value.length, kind }] : [];
    }),
  );
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

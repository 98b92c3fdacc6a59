import { isGivenInQuotes } from './given-values.ts';
import { isAnnouncedPassword, isPassword, isStrongPassword, isUnmistakable } from './password-values.ts';
import { looksRandom } from './secret-values.ts';

/** What may be in the place of a secret, and what has to be true of it. */
export const SLOTS = {
  password: {
    kind: 'password',
    shape: '[^\\s"\']{5,200}',
    accepts: (value: string) => isGivenInQuotes(value) || isStrongPassword(value) || isAnnouncedPassword(value),
  },
  /** Whatever is no placeholder. */
  any: {
    kind: 'password',
    shape: '[^\\s"\']{4,200}',
    accepts: (value: string) => isPassword(value) || /^\d{6,}$/u.test(value),
  },
  /** What no sentence has in its place. */
  strong: { kind: 'password', shape: '[^\\s"\']{5,200}', accepts: isAnnouncedPassword },
  /** What is a password in any position. */
  sure: {
    kind: 'password',
    shape: '[^\\s"\']{6,200}',
    accepts: (value: string) => isUnmistakable(value) && (/[^\w.:/-]/u.test(value) || /[A-Z]/u.test(value)),
  },
  /** Several words. */
  phrase: {
    kind: 'password',
    shape: '[^"\'\\n]{6,100}',
    accepts: (value: string) => isGivenInQuotes(value) || isStrongPassword(value),
  },
  /** Long enough that digits alone are one, too. */
  long: { kind: 'token', shape: '[\\w.-]{12,200}', accepts: () => true },
  /** Digits alone. */
  pin: { kind: 'pin', shape: '\\d{4,12}', accepts: () => true },
  /** In hexadecimal or base 64. */
  key: {
    kind: 'key',
    shape: '[\\w+/=~.-]{16,2000}',
    accepts: (value: string) => looksRandom(value) || /^(?:0x)?[0-9a-f-]{16,}$/iu.test(value),
  },
  /** Five groups of digits, as the label of a router has them. */
  quads: { kind: 'password', shape: '(?:\\d{4} ){4}\\d{4}', accepts: () => true },
  /** Six groups of four. */
  six: { kind: 'password', shape: '(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}', accepts: () => true },
  /** The number of a card. */
  pan: { kind: 'card-number', shape: '\\d{4}(?:[ -]?\\d{4}){3}', accepts: () => true },
  /** Four letters and digits. */
  word: { kind: 'password', shape: '[a-zA-Z0-9]{4}(?!\\w)', accepts: () => true },
  /** Four groups of four letters. */
  apart: { kind: 'password', shape: '(?:[a-z]{4} ){3}[a-z]{4}', accepts: () => true },
  /** What systemd writes: letters that all keyboards have in one place. */
  modhex: { kind: 'recovery-code', shape: '(?:[cbdefghijklnrtuv]{8}-){7}[cbdefghijklnrtuv]{8}', accepts: () => true },
  /** Twelve groups of four, as Matrix writes the key of a backup. */
  spaced: { kind: 'recovery-code', shape: '(?:[A-Za-z0-9]{4} ){11}[A-Za-z0-9]{4}', accepts: () => true },
  /** Four groups of eight digits in hexadecimal. */
  dashed: { kind: 'key', shape: '(?:[0-9a-f]{8}-){3}[0-9a-f]{8}', accepts: () => true },
  /** Bytes in groups of three. */
  groups: { kind: 'key', shape: '(?:[0-9a-f]{6} ){1,8}[0-9a-f]{2,6}', accepts: () => true },
  /** Bytes with blanks or colons between them. */
  octets: { kind: 'key', shape: '(?:[0-9a-f]{2}[ :]){7,40}[0-9a-f]{2}', accepts: () => true },
  /** Lines of a key in base 64 or in bytes. */
  block: {
    kind: 'key',
    shape: '(?:[\\w+/=:]{15,100}[ \\t]{0,4}\\r?\\n[ \\t]{0,20}){0,60}[\\w+/=:]{4,100}',
    accepts: () => true,
  },
} as const;
export type Slot = keyof typeof SLOTS;

import type { Shape } from './secret-shapes.ts';

/** Kinds of every family but key files. */
export const ALL = ['known', 'named', 'password'];
/** What machines make. */
export const TOKENS = ['known', 'named'];
/** What people choose. */
export const PASSWORD = ['password'];
/** Key files. */
export const BLOCK = ['block'];

/** `db_password`. */
export const snake = (name: string) => name.toLowerCase();
/** `dbPassword`. */
export const camel = (name: string) => snake(name).replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
/** `DbPassword`. */
export const pascal = (name: string) => camel(name).replace(/^./, (letter) => letter.toUpperCase());
/** `db-password`. */
export const kebab = (name: string) => snake(name).replaceAll('_', '-');
/** The text in base64. */
export const base64 = (text: string) => Buffer.from(text).toString('base64');
/** The text broken at so many columns; `lead` begins each further line. */
export const wrapped = (text: string, columns: number, lead = '') =>
  text.replace(new RegExp(`.{${columns}}(?=.)`, 'g'), `$&\n${lead}`);
/** Line feeds written as `\n`. */
export const oneLine = (value: string) => value.replaceAll('\n', '\\n');

/** Shapes by name: for which families each is real, and how it is written. */
export type Table = Record<string, readonly [readonly string[], Shape['write']]>;

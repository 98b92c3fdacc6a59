/** Result codes from https://sqlite.org/rescode.html, in numerical order from 0. */
const RESULTS = (
  'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL ' +
  'EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB'
).split(' ');

/**
 * The name of SQLite's or the system's error, '' for any other. Node's SQLite gives numbers whose last byte is the
 * kind.
 */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return '';
  if (error.code !== 'ERR_SQLITE_ERROR' || !('errcode' in error)) return error.code;
  return `SQLITE_${RESULTS[Number(error.errcode) & 0xff] ?? 'ERROR'}`;
}

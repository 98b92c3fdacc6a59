// How large a record may be. What git-mem writes has some hundred bytes; everything else came from elsewhere.

/** Largest file that is read as a record, in bytes. */
export const MAX_RECORD_BYTES = 1_000_000;

/** Largest that hooks read, in bytes: whatever a checkout brings, a session start reads dozens of records at once. */
export const MAX_HOOK_BYTES = 64 * 1024;

/** Longest body whose headings a Markdown parser looks for, in UTF-16 units: it takes quadratic time on hostile input. */
export const MAX_PARSED_BODY = 10_000;

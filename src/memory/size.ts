// How large a record may be. git-mem itself writes a few hundred bytes; anything larger came from elsewhere.

/** Largest file that is read as a record, in bytes: a thousand times what git-mem writes. */
export const MAX_RECORD_BYTES = 1_000_000;

/** Largest file that hooks read, in bytes: a session start reads dozens of records, whatever a checkout contains. */
export const MAX_HOOK_BYTES = 64 * 1024;

/**
 * Longest body that a Markdown parser reads, in UTF-16 units: it takes quadratic time on hostile input.
 * The narrative and facts that git-mem writes have 2,620 at most.
 */
export const MAX_PARSED_BODY = 10_000;

/**
 * Longest text that is looked through for secrets, in UTF-16 units. A record has a thousandth of this; a longer one is
 * rejected or left where it is, because a cut copy would differ from the original. Session text loses its middle.
 */
export const MAX_SCANNED_TEXT = 200_000;

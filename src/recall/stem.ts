/** A lower-case word without its commonest English endings; other languages pass unharmed or evenly harmed. */
export function stem(word: string): string {
  if (word.length < 4 || /[^a-z]/.test(word)) return word;
  return undoubledL(withoutMent(withoutAt(withoutFinalE(withoutSuffix(withoutPlural(word))))));
}

function withoutPlural(word: string): string {
  // `cookies` and `cookie`, `retries`, `retried` and `retry` all end in y after this.
  if (/(?:ies|ied|ie)$/.test(word) && word.length > 4) return word.replace(/ie[sd]?$/, 'y');
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (/(?:sses|xes|ches|shes|zes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

function withoutSuffix(word: string): string {
  for (const suffix of ['ing', 'ed', 'ion', 'er', 'or', 'ly']) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    if (rest.length < 3 || !/[aeiouy]/.test(rest) || (suffix === 'ion' && !/[st]$/.test(rest))) return word;
    return undoubled(rest);
  }
  return word;
}

function undoubled(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

function withoutFinalE(word: string): string {
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
}

/** Removes the rest of -ate and -ation where a word precedes it: `installation` is from `install`. */
function withoutAt(word: string): string {
  return word.endsWith('at') && word.length > 6 ? word.slice(0, -2) : word;
}

/**
 * `deployment` is from `deploy`, but `document`, `argument` and `increment` are from nothing, and `statement` is no
 * state.
 */
function withoutMent(word: string): string {
  return word.endsWith('ment') && word.length > 9 ? withoutFinalE(word.slice(0, -4)) : word;
}

/** British spelling doubles the l of `cancelled`, which looks just like that of `called`: both lose it. */
function undoubledL(word: string): string {
  return word.endsWith('ll') && word.length > 3 ? word.slice(0, -1) : word;
}

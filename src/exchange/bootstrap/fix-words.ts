/** Words in subjects that say that something was broken, in the languages commonly used in projects. */
const FIX =
  /\b(?:fix(?:e[sd]|ing|ups?)?|bug ?fix(?:es)?|bugs?|hot-?fix(?:es)?|regressions?|repair(?:s|ed)?|workaround|crash(?:es)?|behebt|behoben|behebe|fehler|korrigiert?|korrektur|corrige[rsz]?|corrigé|correctif|corregi(?:r|do)|corrección|arregla(?:r|do)?|corrigido|corretto|correzione)\b|исправ|修复|修正|バグ|不具合|버그|수정/iu;

/** Fixes nothing that runs. */
const TRIVIAL =
  /\b(?:typos?|spelling|grammar|lint(?:er|ing)?|format(?:ting)?|white ?space|indent(?:ation)?|comments?|docs?|documentation|docstrings?|readme|change ?log|links?|ci|merge conflicts?|tippfehler|rubocop|eslint|prettier|flake8|shellcheck|clippy)\b/iu;
const SQUASHED = /^(?:fixup|squash|amend)!/;

const HOUSEKEEPING = /^(?:\[?(?:chore|build|ci|docs?|style|test)\b|bump\b|update\b|upgrade\b)|\bdeps?(?:-dev)?\b/i;

/** Work around the code: dependency versions, pipelines, manuals. */
export function isHousekeeping(subject: string): boolean {
  return HOUSEKEEPING.test(subject) || TRIVIAL.test(subject);
}

/** Tells whether a subject announces a fix of something that runs. */
export function isFix(subject: string): boolean {
  return FIX.test(subject) && !TRIVIAL.test(subject) && !SQUASHED.test(subject);
}

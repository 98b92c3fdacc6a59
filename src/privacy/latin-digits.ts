/** Digits of the Basic Multilingual Plane that are not ASCII. */
const OTHER_DIGITS = /(?=[^0-9])(?=[\u0660-\uffff])\p{Nd}/gu;

/** The text with the digits of every script replaced, each by one character. */
export function withLatinDigits(text: string): string {
  return /[^\x00-\u02ff]/u.test(text) ? text.replace(OTHER_DIGITS, latinDigit) : text;
}

/** Tens of digits begin at a code whose last four bits are 0, or 6 in the scripts of India. */
function latinDigit(digit: string): string {
  const code = digit.charCodeAt(0);
  const isIndic = (code >= 0x900 && code <= 0xdff) || (code >= 0x1946 && code <= 0x194f);
  return `${(code & 15) - (isIndic ? 6 : 0)}`;
}

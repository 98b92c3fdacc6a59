import { type Finding, matchesOf } from './findings.ts';
import { isStandIn, looksRandom } from './secret-values.ts';

/** Shapes that many things have, and the words that programs print beside the secret ones. */
const BESIDE: { kind: string; shape: RegExp; near: RegExp; accepts(value: string): boolean; isPlain?: true }[] = [
  {
    // The codes by which a device is added to a home: HomeKit, Matter.
    kind: 'pin',
    shape: /(?<![\w-])(?:\d{3}-\d\d-\d{3}|\d{4}-\d{3}-\d{4}|\d{11}|MT:[A-Z0-9.-]{15,40})(?![\w-])/g,
    near: /homekit|home app|\bhap\b|pairing|homebridge|\bmatter\b|setup ?qr/iu,
    accepts: () => true,
    isPlain: true,
  },
  {
    kind: 'private-key',
    shape: /(?<![A-Za-z0-9])(?:5[HJK]|K[1-5w-z]|L[1-5])[1-9A-HJ-NP-Za-km-z]{49,50}(?![A-Za-z0-9])/g,
    near: /\bwif\b|priv|wallet|bitcoin|\bbtc\b/iu,
    accepts: () => true,
  },
  {
    kind: 'private-key',
    shape: /(?<![A-Za-z0-9])S[A-D][A-Z2-7]{54}(?![A-Za-z0-9])/g,
    near: /seed|secret|stellar|priv/iu,
    accepts: () => true,
  },
  {
    kind: 'private-key',
    shape:
      /(?<=[[{(]\s{0,20})(?:(?:0x[0-9a-f]{2}|\d{1,3}),\s{0,20}){15,127}(?:0x[0-9a-f]{2}|\d{1,3})(?=,?\s{0,20}[\])}])/gi,
    near: /(?<!pub\w{0,8})(?:key|secret|seed)\b(?![^\n]{0,40}(?:code|event|press))|\w{3,8}s?key\[|solana|keypair/iu,
    accepts: isKeyMaterial,
    isPlain: true,
  },
  {
    // Zigbee and other networks: as many bytes as a key has.
    kind: 'key',
    shape:
      /(?<=\b(?:network|encryption|master|aes)_?key["']?\s{0,4}[:=]\s{0,4}\[)(?:(?:0x[0-9a-f]{2}|\d{1,3}),\s{0,4}){15}(?:0x[0-9a-f]{2}|\d{1,3})(?=\])/gi,
    near: /_?key/iu,
    accepts: isMixed,
    isPlain: true,
  },
  {
    kind: 'aws-secret-access-key',
    shape: /(?<![A-Za-z0-9/+=_-])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=_-])/g,
    near: /aws|amazon|secret|AKIA|ASIA/iu,
    accepts: (value: string) => /[a-z]/u.test(value) && /[A-Z]/u.test(value) && /[0-9/+]/u.test(value),
  },
  {
    kind: 'private-key',
    shape: /(?<![A-Za-z0-9])0x[0-9a-fA-F]{64}(?![A-Za-z0-9])/g,
    isPlain: true,
    near: /priv|\bpk\b|\baccounts["']?\s{0,4}[:=]|signer|secret|wallet|deployer|mnemonic|--key/iu,
    accepts: () => true,
  },
  {
    // The comment behind it says what it is.
    kind: 'private-key',
    shape:
      /(?<=["'])[0-9a-f]{64}(?=["'][\s)};,]{0,6}(?:#|\/\/|--)[^\n]{0,40}\b(?:signing|private|secret|encryption|master)[ -](?:key|seed))/g,
    near: /./u,
    accepts: () => true,
  },
  {
    kind: 'private-key',
    shape:
      /(?<=priv(?:ate)?[ _-]?key(?:[ ]\(\w{1,10}\))?["']?[ ]{0,4}[:=][ ]{0,4}["']?)[0-9a-fA-F]{64}(?![A-Za-z0-9])/gi,
    near: /priv/iu,
    accepts: () => true,
  },
];

/** Bytes that are in no order and hardly ever the same. */
function isKeyMaterial(list: string): boolean {
  return isMixed(list) && list.split(',').filter((byte) => Number(byte) > 127).length > list.split(',').length * 0.2;
}

function isMixed(list: string): boolean {
  const bytes = list.split(',').map(Number);
  const steps = bytes.filter((byte, index) => Math.abs(byte - (bytes[index - 1] ?? 999)) > 4);
  return (
    bytes.every((byte) => byte < 256) && new Set(bytes).size > bytes.length * 0.6 && steps.length > bytes.length * 0.6
  );
}

/** Finds keys whose shape alone says little, where the words before them say the rest. */
export function findBeside(text: string): Finding[] {
  return BESIDE.flatMap(({ kind, shape, near, accepts, isPlain }) =>
    !near.test(text)
      ? []
      : matchesOf(text, shape).flatMap(({ 0: value, index }) => {
          const isSecret = accepts(value) && (isPlain || looksRandom(value)) && !isStandIn(value);
          const words = text.slice(Math.max(0, index - 120), index);
          return isSecret && near.test(words) ? [{ start: index, end: index + value.length, kind }] : [];
        }),
  );
}

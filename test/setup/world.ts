import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyInit, applyUninstall, planInit, planUninstall } from '../../src/setup/init.ts';
import type { SetupFile } from '../../src/setup/setup-file.ts';
import type { TestRepository } from '../support/repository.ts';

export const placeOf = ({ root }: TestRepository) => ({ root, state: join(root, '.git', 'git-mem') });

export const read = ({ root }: TestRepository, path: string) => readFileSync(join(root, path), 'utf8');

const actionsOf = (plan: { path: string; action: string }[]) =>
  Object.fromEntries(plan.map(({ path, action }) => [path, action]));

/** Sets files up in a place, as `init` does; returns what was done to each. */
export function setUp(place: ReturnType<typeof placeOf>, files: SetupFile[]) {
  const plan = planInit(place, files);
  applyInit(place, plan);
  return actionsOf(plan);
}

/** Takes files out of a place, as `uninstall` does; returns what was done to each. */
export function takeDown(place: ReturnType<typeof placeOf>, files: SetupFile[]) {
  const plan = planUninstall(place, files);
  applyUninstall(place, plan);
  return actionsOf(plan);
}

/** Settings as people have them; what is taken out afterwards must leave the same bytes. */
export const SETTINGS: Record<string, string> = {
  'an empty object': '{}',
  'two spaces': '{\n  "model": "opus",\n  "permissions": {\n    "allow": ["Bash(ls)"]\n  }\n}\n',
  tabs: '{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n',
  'four spaces': '{\n    "model": "opus"\n}\n',
  CRLF: '{\r\n  "model": "opus",\r\n  "env": {\r\n    "A": "1"\r\n  }\r\n}\r\n',
  'no final line feed': '{\n  "model": "opus"\n}',
  'one line': '{"model":"opus","env":{"A":"1"}}',
  'one line with spaces': '{ "model": "opus", "env": { "A": "1" } }\n',
  'odd white space': '\n\n{ "model"   :"opus"\n ,"list": [1,\n2 ]   }\n\n',
  comments:
    '// ours\n{\n  // the model\n  "model": "opus", // dear\n  "env": {} /* none */ // yet\n  // the end, with [ and {\n}\n// really\n',
  'trailing commas': '{\n  "model": "opus",\n  "permissions": {\n    "allow": ["a",],\n  },\n}\n',
  'comments and trailing commas': '{\n  "model": "opus", // , why not\n}\n',
  'hooks of others on other events': `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{ "type": "command", "command": "./guard.sh" }]
      }
    ]
  },
  "model": "opus"
}
`,
  'hooks of others on the same events': `{
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "say done"
          }
        ]
      }
    ],
    "PostToolUse": [{
      "matcher": "Edit|Write",
      "hooks": [{ "type": "command", "command": "npm run format" }]
    }]
  }
}
`,
  'hooks of others on one line':
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]},"model":"opus"}',
  'hooks of others with tabs, CRLF and comments':
    '{\r\n\t"hooks": {\r\n\t\t// mine\r\n\t\t"Stop": [\r\n\t\t\t{ "hooks": [{ "type": "command", "command": "x" }] }, // first\r\n\t\t],\r\n\t},\r\n}',
  'characters of every kind': '{\n  "companyAnnouncements": ["Grüße, 世界 🎉 \\u00e9 \\" }"]\n}\n',
};

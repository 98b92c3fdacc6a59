import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readTemplate } from '../templates.ts';
import { addHooks, missingEvents, parseEntries, removeHooks } from './hook-settings.ts';
import { mcpFile } from './mcp-file.ts';
import { findProgram } from './program.ts';
import { keepingMark, type SetupFile } from './setup-file.ts';

type Environment = Record<string, string | undefined>;

/** How a coding agent is set up in a repository. */
export interface HostSetup {
  /** As in `--host` and as the hooks call it. */
  name: string;
  title: string;
  /** Tells whether somebody seems to use it here. */
  detect(root: string, env: Environment): boolean;
  files(): SetupFile[];
  /** Which of the files registers the MCP server; the others hold hooks. */
  mcp: string;
  /** Settings files, the user's own too, where `disableAllHooks` would silence ours. */
  switches(root: string, env: Environment): string[];
  /** What is left to do by hand, a sentence each. */
  next(root: string): string[];
}

/**
 * Claude Code. The template registers the events that say something new: PostToolBatch, SubagentStart and PreCompact
 * only announce or repeat what PostToolUse, SubagentStop and PostCompact report. So does PreToolUse, which is there to
 * be answered: before a file is read, with Read or by a command, the agent is told what is remembered of it. SessionEnd needs its
 * timeout spelled out, the default being 1.5 s. The command answers for a checkout of an older branch (no launcher) and
 * for a colleague without git-mem (the launcher ends at once): exit 0 and silence.
 */
const claudeCode: HostSetup = {
  name: 'claude-code',
  title: 'Claude Code',
  detect: (root, env) =>
    isThere(join(root, '.claude')) || isThere(join(root, 'CLAUDE.md')) || findProgram('claude', env) !== undefined,
  files: () => [hookFile('.claude/settings.json', 'hosts/claude-code.json'), mcpFile('.mcp.json')],
  mcp: '.mcp.json',
  switches: (root, env) => [
    join(root, '.claude', 'settings.json'),
    join(root, '.claude', 'settings.local.json'),
    join(env.CLAUDE_CONFIG_DIR || join(env.HOME || env.USERPROFILE || '', '.claude'), 'settings.json'),
  ],
  next: (root) => [
    `Start Claude Code in ${root}, because it runs the hooks of the folder where it is started. ` +
      'It asks once whether you trust them, and the answer it offers first is no; then for the MCP server.',
  ],
};

/** Every host that can be set up. */
export const HOSTS: readonly HostSetup[] = [claudeCode];

/** The hosts that somebody seems to use here; the first one where there is no sign. */
export function detectHosts(root: string, env: Environment): HostSetup[] {
  const found = HOSTS.filter((host) => host.detect(root, env));
  return found.length > 0 ? found : HOSTS.slice(0, 1);
}

/** A settings file in Claude's format, which several hosts share. */
function hookFile(path: string, template: string): SetupFile {
  const entries = parseEntries(readTemplate(template));
  return {
    path,
    executable: false,
    isShared: true,
    add: (current = '') => keepingMark(current, (text) => addHooks(text, entries, path)),
    remove(current) {
      const left = keepingMark(current, (text) => removeHooks(text, path));
      return left !== current && /^\s*\{\s*\}\s*$/.test(left) ? undefined : left;
    },
    missing: (current) => missingEvents(current.replace(/^\ufeff/, ''), entries, path),
  };
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

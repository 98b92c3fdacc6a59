import type { Environment } from '../../user-folders.ts';

/** What setup needs to know about a host, as data for `setup/`, so that everything about a host is in its adapter's file. */
export interface HostFacts {
  title: string;
  /** Signs that the host is used here: paths from the top of the checkout (with `/`: folders), and programs on PATH. */
  signs: { paths: readonly string[]; programs: readonly string[] };
  /** The files that call the launcher. */
  hooks: readonly HookFile[];
  /** The files that register the MCP server, where a repository can; `hosts`: what the host itself adds to them. */
  mcp?: readonly { path: string; shape: McpShape; hosts?: Record<string, string | number> }[];
  /** The repository's folder in which a host that supports skills (https://agentskills.io) looks for them. */
  skills?: { folder: string };
  /** It runs hooks only of the folder it is started in, but also starts the MCP servers of the folders above. */
  hooksOfStart?: true;
  /** An instruction file that gets our block on where the memory is, for hosts that text cannot be injected into in time. */
  guide?: { path: string };
  /** Prefix of its MCP client's name, where not the host's own; a client of exactly this name reports the host's version. */
  client?: string;
  /** How a program in the agent's shell recognises the host, and what else the environment tells. */
  shell?: ShellFacts;
  /**
   * Settings that switch hooks off, as `key.key=value`, and the files that may hold them, by their path from the top of the
   * checkout, of the home folder (`~/`) or of the system; `${VARIABLE:-~/folder}` is a folder that a variable can move.
   */
  switches?: { files: readonly string[]; off: RegExp };
  /** The email address of the trailer that names it as a commit's author. */
  coAuthor?: string;
  /** What is left to do by hand, one sentence each; `{root}` stands for the top of the checkout. */
  next: readonly string[];
}

/** Environment variables that a host gives to the programs that its agent runs. */
interface ShellFacts {
  /** Any of them identifies this host, unless a host earlier in AGENTS matches. */
  marks: readonly string[];
  /** The variable that holds the id of the session. */
  session?: string;
  version?: (env: Environment) => string | undefined;
}

/**
 * A file that calls the launcher, and the template in `templates/hosts/` that says how. `merged`: the template's entries
 * are added to those of others; `own`: the whole file is ours.
 */
interface HookFile {
  path: string;
  template: string;
  kind: 'merged' | 'own';
}

/**
 * `claude`: {"mcpServers": {…}}; `opencode`: {"mcp": {…}}; `vscode`: {"servers": {…}}; `codex`: [mcp_servers.…] in TOML.
 */
export type McpShape = 'claude' | 'opencode' | 'vscode' | 'codex';

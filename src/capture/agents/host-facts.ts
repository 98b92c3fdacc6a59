import type { Environment } from '../../user-folders.ts';

/** What setup needs to know about a host, as data for `setup/`, so that an adapter's file holds all about its host. */
export interface HostFacts {
  title: string;
  /** Signs that it is used here: paths from the top of the checkout (with `/`: folders), and programs on PATH. */
  signs: { paths: readonly string[]; programs: readonly string[] };
  /** The files that call the launcher. */
  hooks: readonly HookFile[];
  /** The files that register the MCP server, where a repository can; `hosts`: what the host adds to them by itself. */
  mcp?: readonly { path: string; shape: McpShape; hosts?: Record<string, string | number> }[];
  /** The repository's folder in which a host that supports skills (https://agentskills.io) looks for them. */
  skills?: { folder: string };
  /** It runs the hooks of the folder where it is started alone, but starts the MCP servers of those above as well. */
  hooksOfStart?: true;
  /**
   * An instruction file with our block on where the memory is, for a host into which nothing can be injected in time.
   */
  guide?: { path: string };
  /** How its MCP client's name begins, where that is not the host's own; one that is equal brings the host's version. */
  client?: string;
  /** How a program in the agent's shell recognises the host, and what else the environment says. */
  shell?: ShellFacts;
  /**
   * Settings that switch hooks off, as `key.key=value`, and the files that may hold them, by their path from the top of the
   * checkout, of the home folder (`~/`) or of the system; `${VARIABLE:-~/folder}` is a folder that a variable can move.
   */
  switches?: { files: readonly string[]; off: RegExp };
  /** The address by which its commits name it as an author, in a trailer. */
  coAuthor?: string;
  /** What is left to do by hand, a sentence each; `{root}` stands for the top of the checkout. */
  next: readonly string[];
}

/** Environment variables that a host gives to the programs that its agent runs. */
interface ShellFacts {
  /** Set by this host and no other: any of them is a sign. */
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

/** What setting a host up needs to know of it, as data: `setup/` acts on it, and an adapter's file holds all of its host. */
export interface HostFacts {
  title: string;
  /** What tells that somebody uses it here: paths from the top of the checkout (with `/`: folders), and programs on PATH. */
  signs: { paths: readonly string[]; programs: readonly string[] };
  /** The files that call the launcher. */
  hooks: readonly HookFile[];
  /** The files that register the MCP server, where a repository can; `shape` is their notation. */
  mcp?: readonly { path: string; shape: McpShape }[];
  /** The folder of the repository in which it looks for skills (https://agentskills.io), for a host that knows them. */
  skills?: { folder: string };
  /** A file of instructions with a block of ours that says where the memory is, for a host into which nothing can be injected in time. */
  guide?: { path: string };
  /** How a program that its agent starts in a shell can tell, and what else the environment says. */
  shell?: ShellFacts;
  /** Settings where `disableAllHooks` silences ours: in the checkout, and the user's own. */
  switches?: { paths: readonly string[]; user: { variable: string; folder: string; file: string } };
  /** What is left to do by hand, a sentence each; `{root}` stands for the top of the checkout. */
  next: readonly string[];
}

/** Variables of the environment that a host gives to the programs its agent runs. */
interface ShellFacts {
  /** Set by this host and no other: any of them is a sign. */
  marks: readonly string[];
  /** The variable that holds the id of the session. */
  session?: string;
  /** The host's version. */
  version?: (env: Record<string, string | undefined>) => string | undefined;
}

/**
 * A file that calls the launcher, and the template in `templates/hosts/` that says how. `merged`: the template's entries
 * go among those of others; `own`: the file is ours as a whole.
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

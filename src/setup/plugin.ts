import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GitMemError } from '../errors.ts';
import { createFolder } from '../memory/store/create-folder.ts';
import { packageVersion, readTemplate, readTemplateBytes } from '../templates.ts';
import { parseEntries } from './hook-settings.ts';
import { hostTemplate } from './host-template.ts';
import { SKILL, SKILL_TEXT } from './hosts.ts';
import { append, badSettings, member, parseObject } from './json-edit.ts';
import { mcpFile } from './mcp-file.ts';
import { attempt, readBytes, readText, writeBytes } from './place.ts';

/** The plugin's name, its folder in a marketplace, and the prefix of its commands: `/git-mem:recall`. */
export const PLUGIN = 'git-mem';

/** A list of plugins, relative to the top of a marketplace. */
export const MARKETPLACE = '.claude-plugin/marketplace.json';

/** What was done to one file; `path` is relative to the top of the marketplace. */
type PluginStep = { path: string; action: 'created' | 'updated' | 'unchanged' };

interface PluginFile {
  path: string;
  content: Buffer;
  executable: boolean;
}

const MANIFEST = '.claude-plugin/plugin.json';
const COMMANDS = ['recall', 'remember', 'review', 'status'];
const ENTRY = {
  name: PLUGIN,
  source: `./${PLUGIN}`,
  description: 'Memory for coding agents that lives where the code lives.',
};

/** The hooks and the server of `init` for all repositories: https://code.claude.com/docs/en/plugins-reference */
export function pluginFiles(): PluginFile[] {
  const file = (path: string, text: string, executable = false) => ({ path, content: Buffer.from(text), executable });
  return [
    file('README.md', readTemplate('plugin/README.md')),
    { path: '.claude-plugin/icon.png', content: readTemplateBytes('plugin/icon.png'), executable: false },
    file(MANIFEST, readTemplate('plugin/plugin.json').replaceAll('{{version}}', packageVersion())),
    file('hooks/hooks.json', hooks()),
    file('hooks/hook', readTemplate('plugin/hook'), true),
    file('hooks/settings.awk', readTemplate('plugin/settings.awk')),
    file('hooks/launcher', readTemplate('init/hook'), true),
    // Exactly what `init` registers: Claude Code treats two servers with one command as one.
    file('.mcp.json', mcpFile('.mcp.json', 'claude').add(undefined, false)),
    // For the person alone: it is listed in every repository, and where there is a memory the server's instructions say the same.
    file(`skills/${SKILL}`, SKILL_TEXT.replace('\n---\n', '\ndisable-model-invocation: true\n---\n')),
    ...COMMANDS.map((name) => file(`commands/${name}.md`, readTemplate(`plugin/commands/${name}.md`))),
  ];
}

/** Writes the plugin, and a marketplace that lists it, into a folder. Throws bad-settings, cannot-write. */
export function writePlugin(out: string): { marketplace: string; files: PluginStep[] } {
  attempt(out, 'made', () => createFolder(out));
  requireOurs(out);
  const listed = marketplaceWithUs(readText(out, MARKETPLACE));
  const files = [
    { path: MARKETPLACE, content: Buffer.from(listed.text), executable: false },
    ...pluginFiles().map((file) => ({ ...file, path: `${PLUGIN}/${file.path}` })),
  ];
  return { marketplace: listed.name, files: files.map((file) => write(out, file)) };
}

/** The template of the repository's own hooks, with the plugin's script instead of the repository's launcher. */
function hooks(): string {
  const template = hostTemplate('hosts/claude-code.json');
  const ours = template.replaceAll('${CLAUDE_PROJECT_DIR:-.}/.memory/hook', '${CLAUDE_PLUGIN_ROOT}/hooks/hook');
  const description = 'Captures what happens and injects what earlier sessions found, where a repository has a memory.';
  return `${JSON.stringify({ description, hooks: parseEntries(ours) }, null, 2)}\n`;
}

/** Refuses to write into a folder of this name that somebody else made. */
function requireOurs(out: string): void {
  if (!existsSync(join(out, PLUGIN))) return;
  const manifest = readText(out, `${PLUGIN}/${MANIFEST}`);
  if (manifest !== undefined && member(parseObject(manifest, MANIFEST), 'name')?.value === PLUGIN) return;
  throw new GitMemError('cannot-write', `${join(out, PLUGIN)} is there and is not the plugin git-mem.`, {
    hint: 'Name another folder with --out. Nothing was written.',
  });
}

/** Somebody else's marketplace keeps its plugins, and ours is added. */
function marketplaceWithUs(current: string | undefined): { name: string; text: string } {
  if (current === undefined) {
    const fresh = { name: PLUGIN, owner: { name: PLUGIN }, description: ENTRY.description, plugins: [ENTRY] };
    return { name: PLUGIN, text: `${JSON.stringify(fresh, null, 2)}\n` };
  }
  const root = parseObject(current, MARKETPLACE);
  const name: unknown = member(root, 'name')?.value;
  const plugins = member(root, 'plugins');
  if (typeof name !== 'string' || plugins?.type !== 'array') {
    throw badSettings(`${MARKETPLACE} is not a marketplace.`, 'Expected "name": "..." and "plugins": [...].');
  }
  const isListed = plugins.children?.some((entry) => member(entry, 'name')?.value === PLUGIN);
  return { name, text: isListed ? current : append(current, plugins, ENTRY) };
}

function write(out: string, { path, content, executable }: PluginFile): PluginStep {
  const before = readBytes(out, path);
  if (before?.equals(content)) return { path, action: 'unchanged' };
  writeBytes(out, path, content, executable);
  return { path, action: before === undefined ? 'created' : 'updated' };
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The programs that the launcher starts: each is a step that can fail. */
const TOOLS = ['mkdir', 'mktemp', 'cat', 'mv', 'rm', 'sync', 'setsid', 'git-mem'];

/**
 * Puts stand-ins for the launcher's programs into a folder, which are told by the environment what goes wrong: `TOOL` is
 * the program that fails at once (`EIO`), after half of its work or all of it (`short`), or kills everybody in its
 * process group (`kill-before`, `kill-after`). Each notes its name in `REPORT`. No drain is ever started by them.
 */
export function standIns(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true });
  for (const tool of TOOLS) {
    const real = execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8', env: { PATH: path } }).trim();
    const idle = tool === 'setsid' ? 'exit 0' : '[ "$1" != drain ] || exit 0';
    const half = tool === 'cat' ? 'head -c 100' : `'${real}' "$@"`;
    writeFileSync(
      join(folder, tool),
      `#!/bin/sh
echo ${tool} >>"$GIT_MEM_TEST_REPORT.tools"
if [ "$GIT_MEM_TEST_TOOL" = ${tool} ]; then
  printf ${tool} >"$GIT_MEM_TEST_REPORT"
  case $GIT_MEM_TEST_KIND in
    EIO) exit 1 ;;
    short) ${half}; exit 1 ;;
    kill-before) kill -9 0 ;;
    kill-after) '${real}' "$@"; kill -9 0 ;;
  esac
fi
${tool === 'setsid' || tool === 'git-mem' ? idle : ''}
exec '${real}' "$@"
`,
      { mode: 0o755 },
    );
  }
}

import { openWorkspace } from '../../src/memory/store/workspace.ts';
import { acceptSettings } from '../../src/provenance/settings.ts';
import type { TestRepository } from './repository.ts';

/** Writes the team's settings, which are unreviewed, and accepts them on this clone like `git mem trust --branch`. */
export function useSettings({ root, env, write }: TestRepository, yaml: string): void {
  write('.memory/config.yaml', yaml);
  acceptSettings(openWorkspace(root, env));
}

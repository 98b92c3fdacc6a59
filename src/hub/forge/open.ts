import type { Forge, ForgeAccess, ForgeKind } from './forge.ts';
import { openGitea } from './gitea.ts';
import { openGitHub } from './github.ts';
import { openGitLab } from './gitlab.ts';

const OPENERS: Record<ForgeKind, (access: ForgeAccess) => Forge> = {
  github: openGitHub,
  gitlab: openGitLab,
  gitea: openGitea,
};

/** The client of a code host. */
export function openForge(kind: ForgeKind, access: ForgeAccess): Forge {
  return OPENERS[kind](access);
}

import { messageOf } from '../errors.ts';
import { type Check, fail, type Machine, type Patient } from './check.ts';
import { checkArrivals } from './checks/arrivals.ts';
import { checkCommitted, checkIgnored, checkMemory, checkRepository } from './checks/checkout.ts';
import { checkEmbedder, checkExtractor, checkIndex } from './checks/engines.ts';
import { checkHooks, checkPayloads, checkServers, checkSkills } from './checks/hosts.ts';
import { checkGit, checkNode, checkProgram, checkSwitch } from './checks/machine.ts';
import { checkCommits, checkHistory, checkPrivate, checkRecords, checkSettings } from './checks/memory.ts';
import { checkState } from './checks/state.ts';
import { checkReviewed } from './reviewed-branch.ts';

type Examination<T> = [name: string, look: (subject: T) => Check | Check[] | Promise<Check | Check[]>];

const OF_MACHINES: Examination<Machine>[] = [
  ['git', checkGit],
  ['node', checkNode],
  ['program', checkProgram],
  ['switch', checkSwitch],
];

const OF_REPOSITORIES: Examination<Patient>[] = [
  ['repository', ({ workspace, env }) => checkRepository(workspace.checkout.root, env)],
  ['history', checkHistory],
  ['reviewed', checkReviewed],
  ['memory', checkMemory],
  ['hooks', checkHooks],
  ['arrivals', checkArrivals],
  ['payloads', checkPayloads],
  ['mcp', checkServers],
  ['skill', checkSkills],
  ['ignored', ({ workspace, env }) => checkIgnored(workspace.checkout.root, env)],
  ['committed', checkCommitted],
  ['state', checkState],
  ['settings', checkSettings],
  ['extractor', checkExtractor],
  ['records', checkRecords],
  ['commits', checkCommits],
  ['private', checkPrivate],
  ['index', checkIndex],
  ['embedder', checkEmbedder],
];

/** Checks the machine alone, if there is no repository. */
export function examineMachine(machine: Machine): Promise<Check[]> {
  return examine(machine, OF_MACHINES);
}

/** Checks everything that git-mem needs to work. Nothing is changed, and a check that throws counts as failed. */
export async function examineRepository(patient: Patient): Promise<Check[]> {
  return [...(await examine(patient, OF_MACHINES)), ...(await examine(patient, OF_REPOSITORIES))];
}

async function examine<T>(subject: T, examinations: Examination<T>[]): Promise<Check[]> {
  const results = await Promise.all(
    examinations.map(async ([name, look]) => {
      try {
        return await look(subject);
      } catch (error) {
        return fail(name, `This could not be checked: ${messageOf(error)}.`, 'Please report it.');
      }
    }),
  );
  return results.flat();
}

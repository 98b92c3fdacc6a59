import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose tests wait for processes, browsers and databases; the base class keeps the files of a project together. */
const LONG = /\/test\/(?:hub|laws|surfaces\/viewer|e2e)\//;

/** Long files first, also where no earlier run says which these are: one that begins last has the machine to itself. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

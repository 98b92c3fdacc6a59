import { describe, expect, it } from 'vitest';
import { bugReport } from '../../src/setup/bug-report.ts';
import { packageVersion } from '../../src/templates.ts';

function broken(message: string): Error {
  try {
    throw new TypeError(message);
  } catch (error) {
    return error as Error;
  }
}

const version = `git-mem ${packageVersion()}, Node ${process.versions.node}, ${process.platform}`;

describe('a bug report', () => {
  it('links to the package’s address, with version and code filled in', () => {
    const url = new URL(/https:\S+/.exec(bugReport(broken('x'), 'https://example.org/git-mem/issues'))?.[0] ?? '');
    expect(url.origin + url.pathname).toBe('https://example.org/git-mem/issues/new');
    const code = /^Bug ([0-9a-f]{8})$/.exec(url.searchParams.get('title') ?? '')?.[1];
    expect(url.searchParams.get('body')).toContain(`${version}, code ${code}`);
  });

  it('has content to send where the package names no address', () => {
    expect(bugReport(broken('x'), '')).toContain(version);
  });

  it('is the same for the same bug, and quotes nothing', () => {
    const [one, two] = ['hunter2', 'correct horse'].map((message) => bugReport(broken(message), ''));
    expect(one).toBe(two);
    expect(one).not.toBe(bugReport(new RangeError('hunter2'), ''));
    expect(one).not.toContain('hunter2');
    expect(bugReport('a string', '')).toMatch(/code [0-9a-f]{8}/);
  });
});

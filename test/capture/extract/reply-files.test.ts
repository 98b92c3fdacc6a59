import { describe, expect, it } from 'vitest';
import { filesOf } from '../../../src/capture/extract/reply.ts';
import { callOf, turnOf } from '../../support/turns.ts';

const files = filesOf([
  turnOf({
    calls: [
      callOf({ action: 'read', paths: ['src/clock.ts'] }),
      callOf({ action: 'read', paths: ['packages/a/index.ts'] }),
      callOf({ action: 'read', paths: ['packages/b/index.ts'] }),
      callOf({ action: 'edit', paths: ['src/auth.ts'] }),
      callOf({ action: 'edit', paths: ['src/broken.ts'], ok: false }),
      callOf({ action: 'search', paths: ['src'] }),
      callOf({ action: 'command', command: `sed -i 's/30/60/' ./src/config.ts && cat "docs/ops.md" > ../out.txt` }),
    ],
  }),
]);

describe('the files that an observation cites', () => {
  it('keeps those of the turn and drops those that never occurred', () => {
    expect(files({ files_read: ['src/clock.ts', 'src/invented.ts', 'src'], files_modified: ['src/auth.ts'] })).toEqual({
      files_read: ['src/clock.ts'],
      files_modified: ['src/auth.ts'],
    });
  });

  it('trusts the calls about what was changed', () => {
    expect(files({ files_read: ['src/auth.ts'], files_modified: ['src/clock.ts'] })).toEqual({
      files_read: ['src/clock.ts'],
      files_modified: ['src/auth.ts'],
    });
  });

  it('includes files that only a shell command names', () => {
    expect(files({ files_read: ['docs/ops.md'], files_modified: ['src/config.ts', '../out.txt'] })).toEqual({
      files_read: ['docs/ops.md'],
      files_modified: ['src/config.ts'],
    });
  });

  it('resolves names that match one file, and drops ambiguous ones', () => {
    expect(files({ files_read: ['./clock.ts', 'index.ts'], files_modified: ['/repo/src/auth.ts'] })).toEqual({
      files_read: ['src/clock.ts'],
      files_modified: ['src/auth.ts'],
    });
  });

  it('does not count an edit that failed as a change', () => {
    expect(files({ files_read: [], files_modified: ['src/broken.ts'] })).toEqual({
      files_read: [],
      files_modified: [],
    });
  });
});

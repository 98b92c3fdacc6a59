import { describe, expect, it } from 'vitest';
import { afterWork, type SessionEvidence } from '../../src/capture/drain/session-evidence.ts';
import type { TurnCall } from '../../src/capture/extract/turn.ts';

const NOTHING: SessionEvidence = { failing: [], isEdited: false, checked: [], uncommitted: [], takenBack: [] };

type Did = Partial<TurnCall> & Pick<TurnCall, 'action'>;

const edit = (removed: string, added: string, path = 'src/a.ts'): Did => ({
  action: 'edit',
  paths: [path],
  change: { removed, added },
});
const run = (command: string): Did => ({ action: 'command', command });

/** The evidence after these turns, of which none commits. */
function after(...turns: Did[][]): SessionEvidence {
  return turns.reduce<SessionEvidence>((state, calls, i) => {
    const whole = calls.map(
      (call, at): TurnCall => ({ id: `${i}-${at}`, tool: 'x', paths: [], ok: true, output: '', at: '', ...call }),
    );
    const turn = { session: 's', key: `${i}`, promptNumber: i + 1, prompt: '', promptFrom: 'user' as const };
    const rest = { reports: [], reply: '', interrupted: false, saved: false, startedAt: '', endedAt: '' };
    return afterWork(state, { ...turn, ...rest, calls: whole }, false);
  }, NOTHING);
}

describe('a turn is taken back', () => {
  it.each<[string, number[], Did[][]]>([
    ['by an edit that turns its own round', [1], [[edit('3', '9')], [edit('9', '3')]]],
    [
      'by several, in any order',
      [1],
      [
        [edit('3', '9'), edit('x', 'y', 'b.ts')],
        [edit('y', 'x', 'b.ts'), edit('9', '3')],
      ],
    ],
    ['over several turns', [1], [[edit('3', '9'), edit('x', 'y')], [edit('9', '3')], [edit('y', 'x')]]],
    ['in itself', [1], [[edit('3', '9'), edit('9', '3')]]],
    ['by git', [1], [[edit('3', '9')], [run('git checkout -- src/a.ts')]]],
    ['not by half', [], [[edit('3', '9'), edit('x', 'y')], [edit('9', '3')]]],
    ['not by an edit of another file', [], [[edit('3', '9')], [edit('9', '3', 'src/b.ts')]]],
    ['not by one that goes on', [], [[edit('3', '9')], [edit('9', '5')]]],
    ['not where it did what no edit tells', [], [[edit('3', '9'), run('sed -i s/a/b/ src/b.ts')], [edit('9', '3')]]],
    [
      'not where it wrote a file whole',
      [],
      [[{ action: 'write', paths: ['src/a.ts'], change: { removed: '', added: '9' } }], [edit('9', '3')]],
    ],
  ])('%s', (_, turns, did) => {
    expect(after(...did).takenBack).toEqual(turns);
  });
});

import { messageOf } from '../../errors.ts';
import { log } from '../../memory/store/log.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/** Longest that a prompt or a call waits for its records, in milliseconds: mostly there are none to wait for. */
const PATIENCE_MS = 1500;

/** What `work` returns; `otherwise` if it fails, which is logged as `what`, or takes too long for an agent that waits. */
export async function withPatience<T>(
  { layout }: Workspace,
  what: string,
  otherwise: T,
  work: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((done) => {
    timer = setTimeout(() => done(otherwise), PATIENCE_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    log(layout.state, `${what}: ${messageOf(error)}`, new Date());
    return otherwise;
  } finally {
    clearTimeout(timer);
  }
}

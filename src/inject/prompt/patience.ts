import { messageOf } from '../../errors.ts';
import { log } from '../../memory/store/log.ts';
import type { Workspace } from '../../memory/store/workspace.ts';

/** Longest that a prompt or a call waits for records, in milliseconds: mostly there are none. */
const PATIENCE_MS = 1500;

/** What `work` resolves to; `otherwise` if that takes too long for a waiting agent, or fails (logged with `what`). */
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

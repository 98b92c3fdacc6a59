import { messageOf } from '../../errors.ts';
import { log } from '../../memory/store/log.ts';

/** Longest that a prompt or a call waits for its records, in milliseconds: mostly there are none to wait for. */
const PATIENCE_MS = 1500;

/** What `work` gives; `otherwise` if it fails, or takes too long for an agent that waits. */
export async function withPatience<T>(state: string, otherwise: T, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((done) => {
    timer = setTimeout(() => done(otherwise), PATIENCE_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    log(state, `recall: ${messageOf(error)}`, new Date());
    return otherwise;
  } finally {
    clearTimeout(timer);
  }
}

import { Refusal } from './refusal.ts';

export type Queue = ReturnType<typeof openQueue>;

/** What is said to whom the hub cannot answer now, with when to ask again in seconds. */
const REFUSED = { message: 'The hub has more questions than it can answer now.', seconds: 2 };

/** A queue for `atOnce` questions; one that waits for `patienceMs` milliseconds is refused, so that nobody waits for long. */
export function openQueue({ atOnce, patienceMs }: { atOnce: number; patienceMs: number }) {
  /** More than these would be refused by their patience anyway. */
  const most = atOnce * 8;
  const waiting: { start(): void }[] = [];
  let running = 0;

  async function place(): Promise<void> {
    if (running < atOnce) return void running++;
    if (waiting.length >= most) throw refused();
    await new Promise<void>((start, refuse) => {
      const one = { start };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1);
        refuse(refused());
      }, patienceMs);
      one.start = () => {
        clearTimeout(timer);
        start();
      };
      waiting.push(one);
    });
  }

  return {
    /** Throws Refusal where too many wait, or this one waited too long. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      await place();
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next.start();
      }
    },
  };
}

function refused(): Refusal {
  return new Refusal(503, REFUSED.message, { code: 'busy', headers: { 'retry-after': String(REFUSED.seconds) } });
}

import { missedSentence } from '../../memory/store/missed.ts';
import { type Check, ok, type Patient, warn } from '../check.ts';
import { HOSTS } from '../hosts.ts';
import { hostsIn } from './hosts.ts';
import { lastEvents } from './last-events.ts';
import { PATIENCE_MS, timeOf, unheardHosts } from './silences.ts';

/** Checks whether the hosts set up here report: one may be waiting for the user's trust without saying so. */
export async function checkArrivals({ workspace, now }: Patient): Promise<Check[]> {
  const { checkout, layout } = workspace;
  const [last, present, missed] = [lastEvents(layout), hostsIn(checkout.root), missedSentence(layout.state)];
  const unheard = await unheardHosts(workspace, now);
  return [
    ...HOSTS.filter((host) => last.has(host.name) || present.includes(host)).map(({ name, title, next }) => {
      const label = `events ${name}`;
      const silence = unheard.get(name);
      if (silence !== undefined) return warn(label, silence, next(checkout.root)[0]);
      if ((last.get(name) ?? 0) > now.getTime() + PATIENCE_MS) {
        const message = `The last event of ${title} came ${timeOf(last.get(name))}, later than it is by this clock.`;
        return warn(label, message, 'Set the clock: the age and order of events depend on it.');
      }
      return ok(label, `Last event of ${title}: ${timeOf(last.get(name))}.`);
    }),
    ...(missed ? [warn('missed', missed, 'The next working session start tells the person once.')] : []),
  ];
}

/** Commands that people and scripts run all the time: a bundle of their own, as V8 reads a small one in half the time. */
export const QUICK_COMMANDS = ['status', 'list', 'search', 'show'] as const;

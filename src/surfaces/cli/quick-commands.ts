/**
 * Commands that people and scripts run all the time: in a bundle of their own, because V8 loads a small one in half the
 * time.
 */
export const QUICK_COMMANDS = ['status', 'list', 'search', 'show', 'pre-commit'] as const;

/** Commands that are run all the time: in a bundle of their own, which V8 loads in half the time. */
export const QUICK_COMMANDS = ['status', 'list', 'search', 'show', 'pre-commit'] as const;

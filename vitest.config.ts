import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Hooks and drains are separate processes: on a busy machine they take their time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default'],
    coverage: { include: ['src/**'], reporter: ['text-summary'] },
  },
});

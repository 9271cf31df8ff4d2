import { defineConfig } from 'vitest/config'

/** Node tests beside the code. Components run in a real browser (`*.test.tsx`), journeys drive the built product. */
export default defineConfig({
  test: {
    globalSetup: 'scripts/test-folder.ts',
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          include: ['{apps,packages,scripts}/**/*.test.{ts,mjs}'],
          exclude: ['**/node_modules/**', '**/dist/**', '**/*.journey.test.ts'],
          testTimeout: 30_000,
          // A server that is started for the tests may take minutes on a busy machine.
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'journeys',
          environment: 'node',
          include: ['apps/web/journeys/**/*.journey.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 10_000 } },
          fileParallelism: false,
        },
      },
    ],
  },
})

import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { browserOptions } from './scripts/services/browser.ts'

/**
 * A test file waits for a database, a browser or a process about as long as it computes, so there is one worker more than cores.
 */
const maxWorkers = availableParallelism() + 1

/** Enough for a test that starts processes on a busy machine. */
const testTimeout = 120_000

/** How long an expectation is polled: a busy machine may need it, an idle one never does. */
const poll = { timeout: 10_000 }

/** Journeys drive the whole product. Those of one worker share a browser, so their modules stay loaded. */
const ofJourneys = {
  isolate: false,
  testTimeout: 180_000,
  hookTimeout: 120_000,
  expect: { poll: { ...poll, interval: 100 } },
}

/** Runs after the other journeys, since it removes files that every product serves. */
const alone = ['apps/web/journeys/upgrade.journey.test.ts']

/** Node tests beside the code, components in a real browser (`*.test.tsx`), journeys through the built product. */
export default defineConfig({
  test: {
    globalSetup: 'scripts/test-folder.ts',
    maxWorkers,
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          // Imports are loaded once per worker: for the server that saves two seconds per file.
          isolate: false,
          globalSetup: 'apps/server/src/drop-template.testing.ts',
          include: ['{apps/{cli,runner,server},packages,scripts}/**/*.test.{ts,mjs}'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          testTimeout,
          // A server that is started for the tests may take minutes on a busy machine.
          hookTimeout: 180_000,
          expect: { poll },
        },
      },
      {
        test: {
          name: 'web',
          environment: 'node',
          // A worker for each file costs four times as much as the tests.
          isolate: false,
          setupFiles: 'apps/web/src/fresh-modules.testing.ts',
          include: ['apps/web/src/**/*.test.ts'],
          testTimeout,
          expect: { poll },
        },
      },
      {
        test: {
          ...ofJourneys,
          name: 'journeys',
          environment: 'node',
          globalSetup: 'apps/web/journeys/prepared-home.ts',
          include: ['apps/web/journeys/**/*.journey.test.ts'],
          exclude: alone,
        },
      },
      {
        test: {
          ...ofJourneys,
          name: 'alone',
          environment: 'node',
          globalSetup: 'apps/web/journeys/prepared-home.ts',
          include: alone,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: [react()],
        // Otherwise each file would fetch hundreds of their modules one by one.
        optimizeDeps: {
          // The cache does not notice changes of workspace packages.
          force: true,
          include: [
            '@parquetry/client',
            '@parquetry/frame',
            '@parquetry/model',
            '@parquetry/model/errors',
            '@parquetry/model/labels',
          ],
        },
        test: {
          name: 'components',
          include: ['{apps,packages}/**/*.test.tsx'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          sequence: { groupOrder: 2 },
          // A failing expectation of an element waits this long.
          testTimeout: 30_000,
          expect: { poll },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1280, height: 800 },
            provider: playwright({ launchOptions: browserOptions(), contextOptions: { reducedMotion: 'reduce' } }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compress } from './compress.ts'

const vendor =
  /node_modules[\\/](react|react-dom|scheduler|react-intl|@formatjs|intl-messageformat|@tanstack[\\/](react-router|router-core|history|react-store|store|react-query|query-core))[\\/]/

const shared =
  /zustand[\\/]|packages[\\/]model[\\/]|charts[\\/]src[\\/](registry|text-id)|web[\\/]src[\\/]shared[\\/](?!grid|time-range|Chart|Share)/

/** The server serves what is built here below `/static/`, and `index.html` for the address of every page. */
export default defineConfig({
  base: '/static/',
  plugins: [react(), compress()],
  html: { cspNonce: 'NONCE' },
  build: {
    target: ['chrome140', 'firefox140', 'safari18.4'],
    assetsInlineLimit: 0,
    // Read by `bytes.ts`.
    manifest: true,
    chunkSizeWarningLimit: 1024,
    rolldownOptions: {
      // On a busy machine the first start would warn of how long plugins take.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // Changes less often than our own code, and every page needs it.
            { name: 'vendor', test: vendor, priority: 11 },
            // What every page needs is one file, what most pages share another: fewer requests than a file for each module.
            { name: 'first', tags: ['$initial'], priority: 10 },
            { name: 'ui', test: /(packages[\\/]ui|virtual-core|react-virtual)[\\/]/, minShareCount: 2, priority: 9 },
            // Small things that SQL Lab shares with lists and with the grid: else it would load their files whole for them.
            {
              name: 'bits',
              test: /web[\\/]src[\\/]shared[\\/](use-debounced|date-time|duration|query-states)/,
              priority: 9,
            },
            { name: 'lists', test: /web[\\/]src[\\/]lists[\\/]/, minShareCount: 2, priority: 8 },
            // What dashboards, Explore and SQL Lab share is few files: fifty requests of a kilobyte take longer than their
            // bytes. A group takes along what its files import, so those that more pages need come first.
            { name: 'shared', test: shared, minShareCount: 3, priority: 7 },
            // SQL Lab reads frames as it opens; its grid comes with the first look at a result.
            { name: 'frame', test: /packages[\\/]frame[\\/]/, minShareCount: 2, priority: 6.5 },
            // The cells that charts and the grid have in common: a dashboard needs no more of it.
            { name: 'cells', test: /charts[\\/]src[\\/]views[\\/]grid[\\/]/, minShareCount: 2, priority: 6.4 },
            { name: 'grid', test: /web[\\/]src[\\/]shared[\\/]grid/, minShareCount: 2, priority: 6 },
            { name: 'plot', test: /node_modules[\\/](echarts|zrender)[\\/]/, minShareCount: 3, priority: 5 },
            { name: 'charts', test: /packages[\\/]charts[\\/]/, minShareCount: 3, priority: 4 },
            { name: 'dashboards', test: /web[\\/]src[\\/]dashboard[\\/]/, minShareCount: 2, priority: 3 },
          ],
        },
      },
    },
  },
})

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compress } from './compress.ts'

const vendor =
  /node_modules[\\/](react|react-dom|scheduler|react-intl|@formatjs|intl-messageformat|@tanstack[\\/](react-router|router-core|history|react-store|store|react-query|query-core))[\\/]/

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
      output: {
        codeSplitting: {
          groups: [
            // Changes less often than our own code, and every page needs it.
            { name: 'vendor', test: vendor, priority: 3 },
            // What every page needs is one file, what most pages share another: fewer requests than a file for each module.
            { name: 'first', tags: ['$initial'], priority: 2 },
            { name: 'ui', test: /(packages[\\/]ui|virtual-core|react-virtual)[\\/]/, minShareCount: 2, priority: 1 },
            { name: 'lists', test: /web[\\/]src[\\/]lists[\\/]/, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
})

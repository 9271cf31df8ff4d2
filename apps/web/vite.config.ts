import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compress } from './compress.ts'

/** The server serves what is built here below `/static/`, and `index.html` for the address of every page. */
export default defineConfig({
  base: '/static/',
  plugins: [react(), compress()],
  html: { cspNonce: 'NONCE' },
  build: {
    target: ['chrome140', 'firefox140', 'safari18.4'],
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1024,
    rolldownOptions: {
      output: {
        // React and what every page needs change less often than our own code, so they are a file of their own.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](react-|query-|router-|history|store)|react-intl|@formatjs|intl-messageformat)/,
            },
          ],
        },
      },
    },
  },
})

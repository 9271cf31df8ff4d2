import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compileHints } from './compile-hints.ts'
import { deepImports } from './deep-imports.ts'
import { shortClassNames } from './short-class-names.ts'
import { preloadFiles } from './preload-files.ts'
import { echartsStubs } from './echarts-stubs.ts'
import { isInCommonPlots, commonChunks } from './common-chunks.ts'

const vendor =
  /rolldown[\\/]runtime|node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](react-router|router-core|history|react-store|store|react-query|query-core))[\\/]/

const shared =
  /zustand[\\/]|packages[\\/](model[\\/](?!src[\\/](differences|local-url|lex|password))|frame[\\/](?!src[\\/]post-process))|charts[\\/]src[\\/](registry|catalog-ids)|web[\\/]src[\\/]shared[\\/](?!viz|sql-field|query-schedule|json-error|filter-operators|annotations|use-filtering|use-picture-download|download-results|ranking|history[\\/](difference|Version|use-restore)|grid|time-range|drill|Chart|Share|PropertiesDialog|SaveDatasetDialog|DropZone|FileButton|use-chart-data|frame-results|dataset-(calls|editor|texts)|related-options|thumbnail|suggested-charts|NewPassword|password-|second-factor|NameDialog|subject-options|time-span-query|fetch-column-span|missing-references|describe-built-in)/

/** Formatting of values and display of cells: every chart needs it, and the grid of rows needs no other chart code. */
const formats =
  /ui[\\/]src[\\/]drag[\\/]|d3-format[\\/]|charts[\\/]src[\\/](shared[\\/](formats|grain)|views[\\/]grid[\\/]|explore[\\/]non-additive-name)/

const echarts = /node_modules[\\/](echarts|zrender)[\\/]/

/** Canvas drawing, without the parts that only rarer charts need. */
const plot = (id: string): boolean => echarts.test(id) && isInCommonPlots(id)

/** The default export of TypeBox references all of it; with named imports only used code remains. */
const namedTypes = (): Plugin => ({
  name: 'parquetry-named-types',
  enforce: 'pre',
  apply: 'build',
  transform: {
    filter: { code: "from 'typebox'" },
    handler: (code) => code.replace(/import Type\b(?:, \{[^}]*\})? from 'typebox'/, "import * as Type from 'typebox'"),
  },
})

/** The server serves the build below `/static/`, and `index.html` for the URL of every page. */
export default defineConfig({
  base: '/static/',
  plugins: [
    shortClassNames(),
    namedTypes(),
    deepImports(),
    commonChunks(),
    echartsStubs(),
    react(),
    preloadFiles(),
    compileHints(),
  ],
  html: { cspNonce: 'NONCE' },
  build: {
    target: ['chrome140', 'firefox140', 'safari18.4'],
    assetsInlineLimit: 0,
    // All styles are 20 KB, less than the requests for parts of them would cost.
    cssCodeSplit: false,
    // Read by `bytes.ts`.
    manifest: true,
    chunkSizeWarningLimit: 1024,
    rolldownOptions: {
      // Otherwise the first start warns about slow plugins on a busy machine, and about the filter kind that is part of the page.
      checks: { bundlerTimings: false, ineffectiveDynamicImport: false },
      output: {
        codeSplitting: {
          groups: [
            // Changes less often than our own code, and every page needs it.
            { name: 'vendor', test: vendor, priority: 11 },
            // Code that every page needs is one file, code that most pages need another: fewer requests than a file for each
            // module.
            { name: 'first', tags: ['$initial'], priority: 10 },
            {
              name: 'ui',
              // Includes small modules that SQL Lab and Explore share with lists and the grid, which would otherwise load the
              // files of those in full.
              test: /packages[\\/]ui[\\/](?!src[\\/](markdown[\\/]|drag[\\/]|data[\\/](ListTable|Card)|layout[\\/]SplitPane|commands[\\/]ShortcutsDialog))|web[\\/]src[\\/]shared[\\/](use-debounced|formats|format-duration|query-states|related-options)/,
              minShareCount: 2,
              priority: 9,
            },
            {
              name: 'lists',
              test: /web[\\/]src[\\/]lists[\\/](?!queries|users|roles|groups|registrations|annotations)/,
              minShareCount: 2,
              priority: 2,
            },
            // Administrators' pages about people.
            {
              name: 'people',
              test: /web[\\/]src[\\/]lists[\\/](users|roles|groups|registrations)/,
              minShareCount: 2,
              priority: 1.9,
            },
            // What accounts and dialogs share, and no page needs at first.
            {
              name: 'fields',
              test: /web[\\/]src[\\/]shared[\\/](NewPassword|password-|second-factor|NameDialog|subject-options)|model[\\/]src[\\/]password/,
              minShareCount: 2,
              priority: 1.95,
            },
            // Code that dashboards, Explore and SQL Lab share is a few files: fifty requests of a kilobyte take longer than their
            // bytes. A group includes what its files import, so groups that more pages need come first.
            { name: 'shared', test: shared, minShareCount: 3, priority: 7 },
            { name: 'formats', test: formats, minShareCount: 2, priority: 6.2 },
            { name: 'grid', test: /web[\\/]src[\\/]shared[\\/]grid/, minShareCount: 2, priority: 6 },
            { name: 'plot', test: plot, minShareCount: 2, priority: 5 },
            { name: 'plot-more', test: echarts, minShareCount: 3, priority: 4.9 },
            // Map code is separate: many charts need it, but no dashboard without a map.
            {
              name: 'charts',
              test: /web[\\/]src[\\/]shared[\\/](Chart|Share|TrashLink|drill[\\/](use-drill\.|subject)|use-(picture-download|filtering)|download-results|save-response|ranking|log-event|annotations)|packages[\\/]frame[\\/]src[\\/]post-process|packages[\\/]charts[\\/]src[\\/](?!icons\.gen|field-groups|views[\\/]DataTable|filter-box[\\/](?!choices|form)|drill|explore[\\/](carry-over|suggest-form|rank-columns|fields-used|missing-references|filter-fields)|resolve[\\/](levels|flow|shapes[\\/](marks|shape-defaults))|shared[\\/](colors[\\/](stored-)?ramps|flow|geo[\\/]|hierarchy|join-frames|linear-scheme|map[\\/]|svg-text|world)|resolve[\\/]items[\\/](ramp-legend|custom-series))/,
              minShareCount: 2,
              priority: 4,
            },
            {
              name: 'more-charts',
              test: /charts[\\/]src[\\/](resolve[\\/]shapes[\\/](marks|shape-defaults)|shared[\\/](colors[\\/](stored-)?ramps|geo[\\/]|join-frames|svg-text))/,
              minShareCount: 2,
              priority: 3.8,
            },
            { name: 'maps', test: /charts[\\/]src[\\/]shared[\\/]map[\\/]/, minShareCount: 3, priority: 3.5 },
            {
              name: 'dashboards',
              test: /web[\\/]src[\\/]dashboard[\\/](?!layout[\\/](step|arrange)|edit[\\/](move-resize-form|new-nodes)|document[\\/]merge|filters[\\/](ScopeTree|use-targets|use-save-filters|kinds[\\/]NamesControl))/,
              minShareCount: 2,
              priority: 3,
            },
          ],
        },
      },
    },
  },
})

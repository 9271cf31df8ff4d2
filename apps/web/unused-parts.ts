import type { Plugin } from 'vite'

/** What ECharts imports and no picture of ours uses: 8 KB of script, compressed. */
const instead: Record<string, string> = {
  // Actions of its version 4.
  'legacy/dataSelectAction':
    'export const createLegacyDataSelectAction = () => {}, handleLegacySelectEvents = () => {}',
  // Options as its version 3 wrote them, and rows that it computes itself; resolved specs have neither.
  'preprocessor/backwardCompat': 'export default () => {}',
  'data/helper/transform':
    'export class ExternalSource {} export const registerExternalTransform = () => {}, applyDataTransform = () => []',
  'component/tooltip/TooltipRichContent': 'export default class {}',
  // Dates are written by our own formats; a browser in Chinese asks for these words all the same.
  'i18n/langZH': "export { default } from './langEN.js'",
  'loading/default': 'export default () => {}',
  'theme/dark': 'export default {}',
  'util/decal': 'export const createOrUpdatePatternFromDecal = () => null',
}

const path = /node_modules[\\/]echarts[\\/]lib[\\/](.+)\.js$/
const partOf = (id: string): string => (path.exec(id)?.[1] ?? '').replaceAll('\\', '/')

/** Leaves it out of a build. */
export const unusedParts = (): Plugin => ({
  name: 'parquetry-unused-parts',
  enforce: 'pre',
  apply: 'build',
  load: { filter: { id: path }, handler: (id) => instead[partOf(id)] ?? null },
})

import type { Plugin } from 'vite'

/** Replacements for modules that ECharts imports and no chart here uses: 11 KB of script, compressed. */
const stubs: Record<string, string> = {
  // Actions of ECharts 4.
  'legacy/dataSelectAction':
    'export const createLegacyDataSelectAction = () => {}, handleLegacySelectEvents = () => {}',
  // Options in the format of ECharts 3, and data transforms; resolved specs have neither.
  'preprocessor/backwardCompat': 'export default () => {}',
  'data/helper/transform':
    'export class ExternalSource {} export const registerExternalTransform = () => {}, applyDataTransform = () => []',
  // Every tooltip here formats its own content.
  'component/tooltip/seriesFormatTooltip': 'export const defaultSeriesFormatTooltip = () => null',
  'component/tooltip/TooltipRichContent': 'export default class {}',
  // Only the names for time axes without a format remain, and no chart draws those; the texts of buttons and descriptions are
  // unused.
  'i18n/langEN':
    "const month = 'January February March April May June July August September October November December'.split(' '), dayOfWeek = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' '), cut = (name) => name.slice(0, 3); export default { time: { month, monthAbbr: month.map(cut), dayOfWeek, dayOfWeekAbbr: dayOfWeek.map(cut) } }",
  // A browser in Chinese requests this language anyway.
  'i18n/langZH': "export { default } from './langEN.js'",
  'loading/default': 'export default () => {}',
  'theme/dark': 'export default {}',
  'util/decal': 'export const createOrUpdatePatternFromDecal = () => null',
}

const path = /node_modules[\\/]echarts[\\/]lib[\\/](.+)\.js$/
const toModulePath = (id: string): string => (path.exec(id)?.[1] ?? '').replaceAll('\\', '/')

/** Replaces the unused modules in a build. */
export const echartsStubs = (): Plugin => ({
  name: 'parquetry-unused-parts',
  enforce: 'pre',
  apply: 'build',
  load: { filter: { id: path }, handler: (id) => stubs[toModulePath(id)] ?? null },
})

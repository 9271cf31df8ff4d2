import type { Plugin } from 'vite'

/** What ECharts imports and no picture of ours uses: 11 KB of script, compressed. */
const stubs: Record<string, string> = {
  // Actions of its version 4.
  'legacy/dataSelectAction':
    'export const createLegacyDataSelectAction = () => {}, handleLegacySelectEvents = () => {}',
  // Options as its version 3 wrote them, and rows that it computes itself; resolved specs have neither.
  'preprocessor/backwardCompat': 'export default () => {}',
  'data/helper/transform':
    'export class ExternalSource {} export const registerExternalTransform = () => {}, applyDataTransform = () => []',
  // Every tooltip of ours says itself what stands in it.
  'component/tooltip/seriesFormatTooltip': 'export const defaultSeriesFormatTooltip = () => null',
  'component/tooltip/TooltipRichContent': 'export default class {}',
  // Of its words only those of axes of time that have no format, which nothing of ours draws; of its buttons and sentences there are none.
  'i18n/langEN':
    "const month = 'January February March April May June July August September October November December'.split(' '), dayOfWeek = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' '), cut = (name) => name.slice(0, 3); export default { time: { month, monthAbbr: month.map(cut), dayOfWeek, dayOfWeekAbbr: dayOfWeek.map(cut) } }",
  // A browser in Chinese asks for these words all the same.
  'i18n/langZH': "export { default } from './langEN.js'",
  'loading/default': 'export default () => {}',
  'theme/dark': 'export default {}',
  'util/decal': 'export const createOrUpdatePatternFromDecal = () => null',
}

const path = /node_modules[\\/]echarts[\\/]lib[\\/](.+)\.js$/
const toModulePath = (id: string): string => (path.exec(id)?.[1] ?? '').replaceAll('\\', '/')

/** Leaves it out of a build. */
export const echartsStubs = (): Plugin => ({
  name: 'parquetry-unused-parts',
  enforce: 'pre',
  apply: 'build',
  load: { filter: { id: path }, handler: (id) => stubs[toModulePath(id)] ?? null },
})

import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { loadMap } from '../../../shared/geo/geo-map.ts'
import { defineItemsFamily } from '../../items/items-family.ts'
import { buildFootnote } from '../../footnote.ts'
import { fullFormat } from '../../tooltip.ts'
import { resolveRegionColor } from './colors.ts'
import { readRegionMarks, type MapRegionItem, type RegionMarks } from './marks.ts'
import { mapOption } from './option.ts'
import { regionDisplayName, describeMissingMap, buildMapNotes, formatRegionTitle } from './texts.ts'

/** Loads the outlines of the map that a series needs. */
export const fetch = loadMap

/** Countries of the world or regions of a country, colored by one number; a second one may set the size of bubbles on them. */
export default defineItemsFamily<MapRegionItem>({
  parts: [CustomChart, TitleComponent],
  read: readRegionMarks,
  option: mapOption,
  components: (_, places: RegionMarks, around) => {
    const note = places.map ? buildMapNotes(places, around) : ''
    return note ? { title: buildFootnote(note, around).title } : {}
  },
  /** Rows without a place are reported. */
  isEmpty: ({ map, items, unknown }: RegionMarks) =>
    map !== null && items.every(({ value }) => value === null) && unknown.length === 0,
  legend: () => [],
  without: (places) => places,
  tip(places: RegionMarks, index, _, { theme, locale }) {
    const item = places.items[index]
    const numbers = item ? [item.value, item.size] : []
    return {
      title: item ? formatRegionTitle(item, locale) : '',
      rows: places.measures.map(({ name, format }, place) => ({
        name,
        color: item ? resolveRegionColor(item, places, theme) : theme.sunken,
        value: formatter(fullFormat(format), locale)(numbers[place] ?? null),
        share: null,
        number: numbers[place] ?? null,
        isHovered: false,
      })),
      more: 0,
      total: null,
      isOfOne: true,
    }
  },
  facts({ items, measures }: RegionMarks, index) {
    const item = items[index]
    const numbers = item ? [item.value, item.size] : []
    return item
      ? {
          key: item.key ?? {},
          values: Object.fromEntries(measures.map(({ label }, place) => [label, numbers[place] ?? null])),
          name: item.nameInRow,
        }
      : null
  },
  describe(places: RegionMarks, { kind }, around) {
    const { translate, locale } = around
    if (!places.map) return `${kind}. ${describeMissingMap(places, around)}`
    const notes = buildMapNotes(places, around)
    const known = places.items.filter(({ value }) => value !== null)
    const [high, low] = [known[0], known.at(-1)]
    if (!high || !low)
      return [translate('picture.describe.empty', '{kind} with no data.', { kind }), notes].filter(Boolean).join(' ')
    const write = formatter(fullFormat(places.measures[0]?.format), locale)
    const summary = translate(
      'picture.describe.map',
      '{kind} of {names} with {count, plural, one {# place} other {# places}}. Highest: {highAt}, {high}. Lowest: {lowAt}, {low}.',
      {
        kind,
        names: places.name,
        count: places.items.length,
        high: write(high.value),
        highAt: regionDisplayName(high.region, locale),
        low: write(low.value),
        lowAt: regionDisplayName(low.region, locale),
      },
    )
    return [summary, notes].filter(Boolean).join(' ')
  },
})

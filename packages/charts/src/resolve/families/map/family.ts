import { CustomChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { formatter } from '../../../shared/formats/format.ts'
import { loadMap } from '../../../shared/geo/geo-map.ts'
import { ofItems } from '../../items/of-items.ts'
import { noteUnder } from '../../note.ts'
import { fullFormat } from '../../tooltip.ts'
import { fillOf } from './colors.ts'
import { readPlaces, type Place, type Places } from './marks.ts'
import { mapOption } from './option.ts'
import { nameOf, noMapSaid, notesOf, titleOf } from './words.ts'

/** Of the map that a series needs, its outlines. */
export const fetch = loadMap

/** Countries of the world or regions of a country, coloured by one number; another one may be the size of bubbles on them. */
export default ofItems<Place>({
  parts: [CustomChart, TitleComponent],
  read: readPlaces,
  option: mapOption,
  components: (_, places: Places, around) => {
    const note = places.map ? notesOf(places, around) : ''
    return note ? { title: noteUnder(note, around).title } : {}
  },
  /** Rows that have no place are said. */
  isEmpty: ({ map, items, unknown }: Places) =>
    map !== null && items.every(({ value }) => value === null) && unknown.length === 0,
  legend: () => [],
  without: (places) => places,
  tip(places: Places, at, _, { theme, locale }) {
    const item = places.items[at]
    const numbers = item ? [item.value, item.size] : []
    return {
      title: item ? titleOf(item, locale) : '',
      rows: places.measures.map(({ name, format }, place) => ({
        name,
        color: item ? fillOf(item, places, theme) : theme.sunken,
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
  facts({ items, measures }: Places, at) {
    const item = items[at]
    const numbers = item ? [item.value, item.size] : []
    return item
      ? {
          key: item.key ?? {},
          values: Object.fromEntries(measures.map(({ label }, place) => [label, numbers[place] ?? null])),
          name: item.said,
        }
      : null
  },
  describe(places: Places, { kind }, around) {
    const { say, locale } = around
    if (!places.map) return `${kind}. ${noMapSaid(places, around)}`
    const notes = notesOf(places, around)
    const known = places.items.filter(({ value }) => value !== null)
    const [high, low] = [known[0], known.at(-1)]
    if (!high || !low)
      return [say('picture.describe.empty', '{kind} with no data.', { kind }), notes].filter(Boolean).join(' ')
    const write = formatter(fullFormat(places.measures[0]?.format), locale)
    const said = say(
      'picture.describe.map',
      '{kind} of {names} with {count, plural, one {# place} other {# places}}. Highest: {highAt}, {high}. Lowest: {lowAt}, {low}.',
      {
        kind,
        names: places.name,
        count: places.items.length,
        high: write(high.value),
        highAt: nameOf(high.region, locale),
        low: write(low.value),
        lowAt: nameOf(low.region, locale),
      },
    )
    return [said, notes].filter(Boolean).join(' ')
  },
})

import type { QueryColumn } from '@parquetry/model'
import { barChart } from '../bar/bar-chart.ts'
import { formatter } from '../../../shared/formats/format.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { labelOption, type SpecLabel } from '../../axes/labels.ts'
import type { Plot } from '../../axes/plot.ts'
import { seriesBase } from '../../axes/series-base.ts'
import { fadedOpacity, isFaded, othersColor, outline } from '../../paint.ts'
import { fullFormat } from '../../tooltip.ts'
import { defineAxesFamily } from '../family.ts'

interface Bins extends Plot {
  bins: readonly (readonly [low: number, high: number])[]
  /** The column whose values are counted, and its label. */
  of?: QueryColumn
  ofName: string
  cumulative: boolean
}

/** Minimum widths in pixels of bars with a gap between them, and of bars that may have an outline. */
const minBarWidth = { parted: 4, outlined: 8 }
/** Maximum width of the numbers over bars, relative to the bars. */
const overhang = 1.6

/** Adjacent bars, one per range of numbers; bars of several groups are side by side. */
export default defineAxesFamily<Bins>({
  parts: [barChart],
  read(series, { locale }) {
    const { name = '', color = othersColor, key = {}, bins, counts, of, ofName, ends, cumulative } = series
    const write = formatter(String(ends ?? 'SMART_NUMBER'), locale)
    const ranges = (bins ?? []) as Bins['bins']
    return {
      name,
      color,
      key,
      bins: ranges,
      ...(of !== undefined && { of: of as QueryColumn }),
      ofName: String(ofName ?? ''),
      cumulative: cumulative === true,
      x: ranges.map(([low, high]) => `${write(low)} – ${write(high)}`),
      y: (counts ?? []) as Plot['y'],
      xColumn: String(ofName ?? ''),
    }
  },
  option(series, plot, place, around) {
    const { bins: _, counts: __, of: ___, ofName: ____, ends: _____, groups = 1, ...given } = series
    const { color, ...base } = seriesBase({ ...given, type: 'bar' }, plot, around)
    const slot = (around.width * 0.9) / (plot.bins.length || 1)
    const bar = slot / Number(groups)
    const label = series.label as SpecLabel | undefined
    const write = formatter(label?.format ?? 'SMART_NUMBER', around.locale)
    const hasRoom = plot.y.every((value) => textWidth(write(value), 11) <= bar * overhang)
    return {
      ...base,
      color,
      barCategoryGap: Number(groups) > 1 ? '12%' : slot > minBarWidth.parted ? 1 : 0,
      barGap: 0,
      emphasis: { focus: 'none' },
      itemStyle: {
        ...(bar > minBarWidth.outlined && outline(color, around.theme)),
        opacity: isFaded(plot.key, around.selected) ? fadedOpacity : 1,
      },
      ...labelOption(hasRoom && label, place, around),
      data: plot.y,
    }
  },
  facts({ name, key, x, y, bins, of, cumulative }, index) {
    const [low, high] = [bins[cumulative ? 0 : index]?.[0], bins[index]?.[1]]
    if (of === undefined || low === undefined || high === undefined) return null
    return {
      key,
      within: [
        { col: of, op: '>=', val: low },
        { col: of, op: index === bins.length - 1 ? '<=' : '<', val: high },
      ],
      values: { [name]: y[index] ?? null },
      name: String(x[index] ?? ''),
    }
  },
  describe(plots, { kind, tooltip }, { translate, locale }) {
    const all = plots.flatMap(({ name, x, y }) =>
      y.map((value, index) => ({
        value: value ?? 0,
        place: [x[index], ...(plots.length > 1 ? [name] : [])].join(', '),
      })),
    )
    const [first] = plots
    const range = first && [first.bins[0]?.[0], first.bins.at(-1)?.[1]]
    if (!range || all.length === 0) return translate('picture.describe.empty', '{kind} with no data.', { kind })
    const highest = all.reduce((most, each) => (each.value > most.value ? each : most))
    const write = formatter(fullFormat(tooltip.rows?.[0]?.format), locale)
    const end = formatter('FULL_NUMBER', locale)
    return translate(
      'picture.describe.histogram',
      '{kind} of {column} from {from} to {to} in {count, plural, one {# bin} other {# bins}}. Highest: {high} ({highAt}).',
      {
        kind,
        column: first.ofName,
        from: end(range[0]),
        to: end(range[1]),
        count: first.bins.length,
        high: write(highest.value),
        highAt: highest.place,
      },
    )
  },
})

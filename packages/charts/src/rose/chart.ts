import { numberAt, type Frame } from '@parquetry/frame'
import { labelOfMetric } from '@parquetry/model'
import type { Static } from 'typebox'
import { defineChart, type ChartForm, type SpecContext } from '../define.ts'
import { findColumn } from '../shared/column.ts'
import { isAdditive } from '../shared/aggregate-kind.ts'
import { commonMetricFormat } from '../shared/formats/metrics.ts'
import { grainFormat } from '../shared/formats/time.ts'
import { unfinishedPeriod } from '../shared/grain.ts'
import { seriesQueries, xLabel, type SeriesForm } from '../shared/time-series/query.ts'
import { listSeries } from '../shared/time-series/series.ts'
import { form } from './form.ts'

type RoseForm = Static<typeof form> & ChartForm

/** Adds the time-series settings that this form does not offer. */
const asSeries = (settings: RoseForm): SeriesForm => ({
  ...settings,
  contributionMode: settings.contribution ? 'row' : null,
  truncate_metric: true,
  show_empty_columns: true,
  x_axis_sort_asc: true,
})

/** A metric over time around a center, with one petal per period; `series` has one row per period and one column per series. */
export default defineChart({
  viz_type: 'rose',
  name: 'Nightingale Rose Chart',
  category: 'Ranking',
  tags: ['Legacy', 'Advanced-Analytics', 'Circular', 'Multi-Layers', 'Pattern', 'Time', 'Trend'],
  description:
    'Shows change over time in a circle, with one petal per period, such as the months of a year. Petals are divided by a dimension.',
  icon: 'M8 8V2.5a5.5 5.5 0 0 1 4.8 2.7zM8 8l3.5-2a4 4 0 0 1 0 4zM8 8l4.8 2.8A5.5 5.5 0 0 1 8 13.5zM8 8v3.2a3.2 3.2 0 0 1-2.8-1.6zM8 8l-4.3 2.5a5 5 0 0 1 0-5zM8 8L5.7 4A4.6 4.6 0 0 1 8 3.4z',
  series: ['rose'],
  behaviors: [],
  form,
  // people compare areas
  initialSettings: { rose_area_proportion: true },
  queries: (settings) => seriesQueries(asSeries(settings)),
  spec: ({ series: frame }, settings, context) => {
    const petals = frame ? buildPetals(frame, settings, context) : []
    const isShare = settings.contribution || (hasOffsets(settings) && settings.comparison_type === 'percentage')
    const adds = settings.metrics.every((each) => isAdditive(each, context))
    const isPlain = settings.number_format === 'SMART_NUMBER'
    const ofShare = isPlain ? ',.1~%' : settings.number_format
    const format = isShare ? ofShare : commonMetricFormat(settings.metrics, context)
    const written = settings.date_time_format
    const grain = typeof settings.time_grain_sqla === 'string' ? settings.time_grain_sqla : null
    const hasLegend = settings.show_legend ?? petals.length > 1
    return {
      ...(hasLegend && { legend: { position: settings.legendOrientation } }),
      tooltip: {
        trigger: 'item',
        title: { format: written === 'smart_date' ? grainFormat(grain) : written },
        rows: [{ field: 'value', format }],
        sort: 'value',
        // values of several metrics do not add up
        ...(!isShare && !hasOffsets(settings) && settings.metrics.length === 1 && adds && { total: true }),
      },
      series: [
        {
          type: 'rose',
          name: settings.metrics.map((each) => context.displayName(labelOfMetric(each))).join(', '),
          along: xLabel(settings),
          format: written,
          isArea: settings.rose_area_proportion,
          isRich: settings.rich_tooltip,
          ...unfinishedSpec(frame, settings, context),
          petals,
        },
      ],
    }
  },
})

const hasOffsets = ({ time_compare }: RoseForm) => time_compare.length > 0

/** Returns segments from the center outward, the largest series first; comparison values are next to them. */
function buildPetals(frame: Frame, settings: RoseForm, context: SpecContext) {
  const series = listSeries(frame, asSeries(settings), context)
  const isOne = settings.groupby.length === 0 && settings.metrics.length === 1
  const colorOf = context.colorsOf(isOne ? [] : series.map(({ base }) => base))
  const lanes = [...new Set(series.map(({ offset }) => offset))]
  return series.map(({ column, name, base, key, offset }) => ({
    name,
    column,
    color: colorOf(base),
    ...(Object.keys(key).length > 0 && { key }),
    ...(offset !== null && { isCompared: true }),
    lane: lanes.indexOf(offset),
  }))
}

function unfinishedSpec(frame: Frame | undefined, settings: RoseForm, { until }: SpecContext): { unfinished?: number } {
  const times = frame && findColumn(frame, xLabel(settings))
  if (!times || times.kind !== 'time' || settings.mark_unfinished === false) return {}
  const last = unfinishedPeriod(numberAt(times, frame.rows - 1), settings.time_grain_sqla, until)
  return last === null ? {} : { unfinished: last }
}

import { labelOfColumn } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { createTranslator } from '../resolve/text.ts'
import { nameRows } from '../shared/items.ts'
import { readBins, countsOf, chooseBinFormat } from './bins.ts'
import { form, fromLegacyHistogram } from './form.ts'

/** Distribution of the numbers of a column; `bins` has one row per group and one column per bin. */
export default defineChart({
  viz_type: 'histogram_v2',
  name: 'Histogram',
  category: 'Distribution',
  tags: ['Comparison', 'ECharts', 'Pattern', 'Range'],
  description: 'Shows how often small, medium and large values occur in a column.',
  icon: 'M2.5 13.5h11M3.5 13.5V10h2.2v3.5M5.7 10V5.5h2.3v8M8 5.5V3h2.3v10.5M10.3 8h2.2v5.5',
  series: ['histogram'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  initialSettings: { row_limit: 50_000, bins: 20 },
  queries: ({ column, groupby, bins, cumulative, normalize, row_limit }) => ({
    bins: {
      columns: [...groupby, ...(column ? [column] : [])],
      // raw rows
      metrics: null,
      row_limit,
      post_processing: column
        ? [
            {
              operation: 'histogram',
              options: {
                column: labelOfColumn(column),
                groupby: groupby.map(labelOfColumn),
                bins,
                cumulative,
                normalize,
              },
            },
          ]
        : [],
    },
  }),
  spec: ({ bins: frame }, settings, context) => {
    const { column, groupby, normalize, cumulative } = settings
    const say = createTranslator(context)
    const answer = frame ?? { rows: 0, columns: [] }
    const bins = readBins(answer, groupby.map(labelOfColumn))
    const groups = bins.length > 0 ? nameRows(answer, { groupby, date_format: 'smart_date' }, context) : []
    const colorOf = context.colorsOf(groupby.length > 0 ? groups.map(({ name }) => name) : [])
    const ends = settings.x_axis_format === 'SMART_NUMBER' ? chooseBinFormat(bins) : settings.x_axis_format
    const format = normalize && settings.y_axis_format === 'SMART_NUMBER' ? ',.1~%' : settings.y_axis_format
    const measure = normalize ? say('picture.histogram.share', 'Share of rows') : say('picture.histogram.count', 'Rows')
    const edges = [...bins.map(({ low }) => low), ...bins.slice(-1).map(({ high }) => high)]
    return {
      ...(settings.show_legend && groupby.length > 0 && { legend: {} }),
      tooltip: { trigger: 'axis', rows: [{ field: 'value', format }] },
      xAxis: [
        { type: 'category', axisLabel: { show: false }, axisTick: { show: false }, axisLine: { show: false } },
        {
          type: 'value',
          position: 'bottom',
          format: ends,
          ends: edges,
          ...(settings.x_axis_title && { name: settings.x_axis_title }),
        },
      ],
      yAxis: {
        type: 'value',
        format,
        ...(!normalize && { minInterval: 1 }),
        ...(settings.y_axis_title && { name: settings.y_axis_title }),
      },
      series: groups.map(({ name, key }, row) => ({
        type: 'histogram',
        name: name || measure,
        color: colorOf(name),
        key,
        groups: groups.length,
        of: column,
        ofName: column ? context.displayName(labelOfColumn(column)) : '',
        ends,
        bins: bins.map(({ low, high }) => [low, high]),
        counts: countsOf(bins, row),
        ...(cumulative && { cumulative }),
        ...(settings.show_value && { label: { show: true, format, position: 'top' } }),
      })),
    }
  },
  replaces: { histogram: fromLegacyHistogram },
})

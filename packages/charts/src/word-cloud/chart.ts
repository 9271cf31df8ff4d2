import { labelOfMetric } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { sortedInitially } from '../shared/controls.ts'
import { buildItems } from '../shared/items.ts'
import { form } from './form.ts'

/** Values of a dimension, sized by their numbers; `words` has one row per word. */
export default defineChart({
  viz_type: 'word_cloud',
  name: 'Word Cloud',
  category: 'Ranking',
  tags: ['Categorical', 'Comparison', 'Density', 'Single Metric'],
  description: 'Shows which words or names occur most. The higher the value, the larger the word.',
  icon: 'M2 4.5h7M10.5 4.5H14M2 8h3.5M7 8h7M3.5 11.5H9M10.5 11.5h2',
  series: ['words'],
  thumbnail: { fixture: 'frequent-jobs' },
  behaviors: [],
  form,
  initialSettings: sortedInitially,
  queries: ({ series, metric, sort_by_metric, row_limit }) => ({
    words: {
      columns: series ? [series] : [],
      metrics: metric ? [metric] : [],
      orderby: sort_by_metric && metric ? [[metric, false]] : [],
      row_limit,
    },
  }),
  spec: ({ words }, settings, context) => {
    const { series, metric } = settings
    const itemSettings = { groupby: series ? [series] : [], date_format: 'smart_date' }
    const items = words && metric ? buildItems(words, { ...itemSettings, metric }, context) : []
    const colorOf = context.colorsOf(items.map(({ name }) => name))
    return {
      tooltip: {
        trigger: 'item',
        rows: [{ field: 'value', format: metric ? context.formatOf(metric) : 'SMART_NUMBER' }],
      },
      series: [
        {
          type: 'words',
          name: metric ? context.displayName(labelOfMetric(metric)) : '',
          cloud: {
            rotation: settings.rotation,
            sizes: [Math.min(settings.size_from, settings.size_to), Math.max(settings.size_from, settings.size_to)],
          },
          data: items.map((item) => ({ ...item, color: colorOf(item.name) })),
        },
      ],
    }
  },
})

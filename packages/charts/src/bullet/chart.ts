import { labelOfMetric } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { createTranslator } from '../resolve/text.ts'
import { findColumn } from '../shared/column.ts'
import { finiteAt } from '../shared/items.ts'
import { form } from './form.ts'

/** One number against ranges and markers; `measure` has one row. */
export default defineChart({
  viz_type: 'bullet',
  name: 'Bullet Chart',
  category: 'KPI',
  tags: ['Business', 'Legacy', 'Report', 'nvd3'],
  description: 'Shows one value as a bar against background ranges and target markers.',
  icon: 'M2.5 5h11v6h-11zM2.5 7h7v2h-7zM11 4v8',
  series: ['bullet'],
  behaviors: [],
  form,
  queries: ({ metric }) => ({ measure: { columns: [], metrics: metric ? [metric] : [] } }),
  spec: ({ measure }, settings, context) => {
    const say = createTranslator(context)
    const { metric } = settings
    const format = metric ? context.formatOf(metric) : 'SMART_NUMBER'
    const column = metric && measure ? findColumn(measure, labelOfMetric(metric)) : undefined
    const name = metric ? context.displayName(labelOfMetric(metric)) : ''
    const value = column && measure?.rows ? finiteAt(column, 0) : null
    return {
      tooltip: { trigger: 'item', rows: [{ field: 'value', format }] },
      series: [
        {
          type: 'bullet',
          name,
          color: context.colorsOf([])(''),
          format,
          data: [
            { role: 'measure', name, value },
            ...readLabeledNumbers(
              'range',
              settings.ranges,
              settings.range_labels,
              say('picture.bullet.range', 'Range'),
            ),
            ...readLabeledNumbers(
              'marker',
              settings.markers,
              settings.marker_labels,
              say('picture.bullet.marker', 'Marker'),
            ),
            ...readLabeledNumbers(
              'line',
              settings.marker_lines,
              settings.marker_line_labels,
              say('picture.bullet.line', 'Line'),
            ),
          ],
        },
      ],
    }
  },
})

/**
 * Pairs the numbers of a list with the labels at the same positions of another; non-numeric values are skipped with their labels.
 */
function readLabeledNumbers(role: 'range' | 'marker' | 'line', numbers: string, labels: string, otherwise: string) {
  const names = labels.split(',').map((label) => label.trim())
  return numbers.split(',').flatMap((text, index) => {
    const value = Number(text)
    if (text.trim() === '' || !Number.isFinite(value)) return []
    const name = names[index] ?? ''
    return [{ role, name: name || otherwise, value, ...(name && { isNamed: true }) }]
  })
}

import { labelOfMetric } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { unique } from '../query/base-query.ts'
import { buildGeoItems } from '../shared/geo/items.ts'
import { form } from './form.ts'

/** One metric per country as its color, another as bubbles; `countries` has one row per country. */
export default defineChart({
  viz_type: 'world_map',
  name: 'World Map',
  category: 'Map',
  tags: [
    '2D',
    'Comparison',
    'Intensity',
    'Legacy',
    'Multi-Dimensions',
    'Multi-Layers',
    'Multi-Variables',
    'Scatter',
    'Popular',
  ],
  description: 'Shows where in the world a metric is high or low, with bubbles for a second metric.',
  icon: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM2.5 8h11M8 2.5c-3.4 3.4-3.4 7.6 0 11M8 2.5c3.4 3.4 3.4 7.6 0 11',
  series: ['map:world'],
  thumbnail: { form: { max_bubble_size: 12 } },
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  initialSettings: { row_limit: 10_000 },
  queries: ({ entity, metric, secondary_metric, sort_by_metric, row_limit }) => ({
    countries: {
      columns: entity ? [entity] : [],
      metrics: unique([metric ?? [], secondary_metric ?? []].flat(), labelOfMetric),
      orderby: sort_by_metric && metric ? [[metric, false]] : [],
      row_limit,
    },
  }),
  spec: ({ countries }, settings, context) => {
    const { entity, metric, secondary_metric: second, color_picker: color } = settings
    const measureOf = (of: NonNullable<typeof metric>) => ({
      name: context.displayName(labelOfMetric(of)),
      label: labelOfMetric(of),
      format: context.formatOf(of),
    })
    const items = countries && entity && metric ? buildGeoItems(countries, { entity, metric, second }, context) : []
    const colorOf = settings.color_by === 'country' ? context.colorsOf(items.map(({ name }) => name)) : null
    return {
      tooltip: { trigger: 'item' },
      series: [
        {
          type: 'map',
          needs: 'world',
          name: metric ? context.displayName(labelOfMetric(metric)) : '',
          by: settings.country_fieldtype,
          measures: [metric ?? [], second ?? []].flat().map(measureOf),
          ramp: colorOf ? null : settings.linear_color_scheme,
          hasLegend: settings.show_legend,
          ...(settings.show_bubbles &&
            second && {
              bubbles: settings.max_bubble_size,
              bubbleColor: `rgba(${color.r},${color.g},${color.b},${color.a ?? 1})`,
            }),
          data: items.map((item) => ({ ...item, ...(colorOf && { color: colorOf(item.name) }) })),
        },
      ],
    }
  },
})

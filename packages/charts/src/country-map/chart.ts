import { labelOfMetric } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { countries } from '../shared/geo/countries.gen.ts'
import { buildGeoItems } from '../shared/geo/items.ts'
import { form } from './form.ts'

/** One metric by region of a country, shown as color; `regions` has one row per region. */
export default defineChart({
  viz_type: 'country_map',
  name: 'Country Map',
  category: 'Map',
  tags: ['2D', 'Comparison', 'Geo', 'Range', 'Report', 'Stacked'],
  description: 'Shows in which regions of a country a metric is high or low.',
  icon: 'M2.5 4l3.5-1.5 4 1.5 3.5-1.5v9.5L10 13.5 6 12l-3.5 1.5zM6 2.5V12M10 4v9.5',
  series: ['map'],
  behaviors: [],
  form,
  initialSettings: { row_limit: 10_000 },
  queries: ({ entity, metric, row_limit }) => ({
    regions: { columns: entity ? [entity] : [], metrics: metric ? [metric] : [], row_limit },
  }),
  spec: ({ regions }, { entity, metric, select_country: country, ...settings }, context) => {
    const known = country && Object.hasOwn(countries, country) ? countries[country] : undefined
    return {
      tooltip: { trigger: 'item' },
      series: [
        {
          type: 'map',
          mapKey: country ?? '',
          ...(known && { needs: country, iso: known.iso }),
          name: metric ? context.displayName(labelOfMetric(metric)) : '',
          by: 'region',
          measures: metric
            ? [
                {
                  name: context.displayName(labelOfMetric(metric)),
                  label: labelOfMetric(metric),
                  format: context.formatOf(metric),
                },
              ]
            : [],
          ramp: settings.linear_color_scheme,
          hasLegend: settings.show_legend,
          data: regions && entity && metric ? buildGeoItems(regions, { entity, metric }, context) : [],
        },
      ],
    }
  },
})

import Type from 'typebox'
import { control, defineChart } from '../define.ts'
import { choice, colorScheme } from '../shared/controls.ts'
import {
  colorControl,
  dimensionControls,
  fixOrMetric,
  layerQueryControls,
  legendControls,
  mapViewControls,
  tooltipColumns,
  spatialControl,
} from '../shared/map/controls.ts'
import {
  colorByDimension,
  uniqueLabels,
  mapLayerQuery,
  buildMapSpec,
  metricOf,
  numberOrColumn,
  listLocationColumns,
  readLocationSource,
  buildTooltipFields,
  withNotNullFilters,
} from '../shared/map/definition.ts'
import type { MapSpec } from '../shared/map/layers.ts'

const pixels = (label: string, byDefault: number) =>
  control(Type.Number({ default: byDefault, minimum: 0 }), {
    label,
    group: 'look',
    description: 'In pixels, at any zoom level.',
  })

/** Meters per unit, and whether the size is an area. */
const units = {
  square_m: { isArea: true, unit: 1 },
  square_km: { isArea: true, unit: 1000 },
  square_miles: { isArea: true, unit: 1609.34 },
  radius_m: { isArea: false, unit: 1 },
  radius_km: { isArea: false, unit: 1000 },
  radius_miles: { isArea: false, unit: 1609.34 },
}

/** Circles on a map; `rows` has one row per circle. */
export default defineChart({
  viz_type: 'deck_scatter',
  name: 'deck.gl Scatterplot',
  category: 'Map',
  tags: ['deckGL', 'Comparison', 'Scatter', '2D', 'Geo', 'Intensity', 'Density'],
  description: 'Shows places on a map as circles, each with its own size and color.',
  icon: 'M2.5 4.5l3.500-1.500 4 1.500 3.500-1.500v8.500l-3.500 1.500-4-1.500-3.500 1.500zM6 6.500h.01M9.500 8.500h.01M7 10h.01',
  series: [],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL'],
  form: Type.Object({
    spatial: spatialControl('Longitude and latitude'),
    ...dimensionControls,
    point_radius_fixed: fixOrMetric('Point size', 1000, 'One size for all points, or a metric.'),
    ...tooltipColumns,
    ...layerQueryControls(),
    point_unit: control(choice(Object.keys(units) as (keyof typeof units)[], 'square_m'), {
      label: 'Point unit',
      group: 'look',
      options: {
        square_m: 'Square meters',
        square_km: 'Square kilometers',
        square_miles: 'Square miles',
        radius_m: 'Radius in meters',
        radius_km: 'Radius in kilometers',
        radius_miles: 'Radius in miles',
      },
    }),
    multiplier: control(Type.Number({ default: 1, minimum: 0 }), {
      label: 'Multiplier',
      group: 'look',
      description: 'Multiplies all point sizes.',
    }),
    min_radius: pixels('Minimum radius', 2),
    max_radius: pixels('Maximum radius', 250),
    color_picker: colorControl('Point color'),
    color_scheme: colorScheme,
    ...legendControls,
    ...mapViewControls,
  }),
  initialSettings: { row_limit: 10_000, min_radius: 4, color_picker: { r: 49, g: 87, b: 203, a: 0.7 } },
  baseForms: { rows: (form) => withNotNullFilters(form, listLocationColumns(form.spatial)) },
  queries: ({ spatial: place, dimension: by, js_columns, point_radius_fixed, row_limit }) => ({
    rows: mapLayerQuery([...listLocationColumns(place), by, ...js_columns], [metricOf(point_radius_fixed)], row_limit),
  }),
  spec: ({ rows }, settings, context): MapSpec => {
    const location = readLocationSource(settings.spatial)
    const { dimension: by, js_columns, point_radius_fixed, multiplier, legend_format } = settings
    const { isArea, unit } = units[settings.point_unit]
    const columns = [by, ...js_columns, ...listLocationColumns(settings.spatial)]
    return buildMapSpec(
      location
        ? [
            {
              kind: 'points',
              frame: 'rows',
              location,
              colors: colorByDimension(
                rows,
                { dimension: by, color: settings.color_picker, format: legend_format },
                context,
              ),
              size: numberOrColumn(point_radius_fixed),
              isArea,
              unit: unit * multiplier,
              minRadius: settings.min_radius,
              maxRadius: settings.max_radius,
              tooltip: buildTooltipFields(columns, [metricOf(point_radius_fixed)], context),
              keys: uniqueLabels([...listLocationColumns(settings.spatial), by]),
            },
          ]
        : [],
      settings,
      context,
    )
  },
})

import { labelOfColumn } from '@parquetry/model/labels'
import { message } from '@parquetry/model/message'
import { createRegionFinder, type CodeKind } from '../../resolve/families/map/region-finder.ts'
import { loadMap, mapOf } from '../../shared/geo/geo-map.ts'
import { readValues, listColumns, metricLabels, listMetrics, requireItems } from '../read.ts'
import type { RowsType } from '../type.ts'

const kinds: readonly CodeKind[] = ['name', 'cioc', 'cca2', 'cca3']

/** Values by country, matched as on the world map; unknown countries are `XXX`. Coordinates are those of our own map. */
export const worldMap: RowsType = {
  query: (form) => ({
    columns: [
      ...requireItems(
        listColumns(form, 'entity'),
        message('errors.legacy.countriesNeeded', 'Choose the column with the countries'),
      ),
    ],
    metrics: [
      ...requireItems(
        listMetrics(form, 'metric', 'secondary_metric'),
        message('errors.legacy.metricNeeded', 'Choose a metric'),
      ),
    ],
    ...(form.sort_by_metric === true && { orderby: [[listMetrics(form, 'metric')[0]!, false]] }),
  }),
  load: () => loadMap('world'),
  data(frame, form) {
    const [first = '', second = first] = metricLabels(listMetrics(form, 'metric', 'secondary_metric'))
    const [m1, m2] = [readValues(frame, first), readValues(frame, second)]
    const by = kinds.find((kind) => kind === form.country_fieldtype) ?? 'cca3'
    const map = mapOf('world')
    const find = map && createRegionFinder(map, { by })
    return readValues(frame, labelOfColumn(listColumns(form, 'entity')[0]!)).map((value, row) => {
      const country = typeof value === 'string' ? find?.(value) : undefined
      const [longitude, latitude] = country?.at ?? []
      return {
        country: country?.cca3 ?? 'XXX',
        m1: m1[row] ?? null,
        m2: m2[row] ?? null,
        ...(country && { latitude, longitude, name: country.name }),
      }
    })
  },
}

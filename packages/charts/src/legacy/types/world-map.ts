import { labelOfColumn } from '@parquetry/model/labels'
import { cellsOf, columnsOf, metricLabels, metricsOf, needed } from '../read.ts'
import type { LegacyType } from '../type.ts'

/** A country as the older call names it. */
export interface Country {
  cca3: string
  name: string
  lat: number
  lng: number
}

/**
 * Values by country; one that nobody knows is `XXX`.
 * @param find  a country by one of its codes or its name: `cca2`, `cca3`, `cioc`, `name`
 */
export const worldMap = (find: (field: string, value: string) => Country | undefined): LegacyType => ({
  query: (form) => ({
    columns: [...needed(columnsOf(form, 'entity'), 'Choose the column of the countries')],
    metrics: [...needed(metricsOf(form, 'metric', 'secondary_metric'), 'Choose a metric')],
    ...(form.sort_by_metric === true && { orderby: [[metricsOf(form, 'metric')[0]!, false]] }),
  }),
  data(frame, form) {
    const [first = '', second = first] = metricLabels(metricsOf(form, 'metric', 'secondary_metric'))
    const [m1, m2] = [cellsOf(frame, first), cellsOf(frame, second)]
    const field = typeof form.country_fieldtype === 'string' ? form.country_fieldtype : 'cca3'
    return cellsOf(frame, labelOfColumn(columnsOf(form, 'entity')[0]!)).map((value, row) => {
      const country = typeof value === 'string' ? find(field, value) : undefined
      return {
        country: country?.cca3 ?? 'XXX',
        m1: m1[row] ?? null,
        m2: m2[row] ?? null,
        ...(country && { latitude: country.lat, longitude: country.lng, name: country.name }),
      }
    })
  },
})

import type { Selectable } from 'kysely'
import { parseObject } from '../http/json-body.ts'
import type { ChartTable } from '../store/tables.ts'

type FormData = Record<string, unknown>

/** Parses saved form data; text that is not a JSON object yields an empty form, as in the API. */
export const readParams = (params: string | null): FormData => parseObject(params)

/** Returns the form data of a saved chart. Properties of the chart override the saved ones. */
export const buildFormData = ({
  id,
  viz_type,
  params,
  datasource_id,
  datasource_type,
}: Pick<Selectable<ChartTable>, 'id' | 'viz_type' | 'params' | 'datasource_id' | 'datasource_type'>): FormData => ({
  ...readParams(params),
  slice_id: id,
  viz_type,
  datasource: `${datasource_id}__${datasource_type}`,
})

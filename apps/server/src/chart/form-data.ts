import type { Selectable } from 'kysely'
import { parseObject } from '../http/json-body.ts'
import type { ChartTable } from '../store/tables.ts'

type FormData = Record<string, unknown>

/** Form data as it was saved; a text that is no JSON object is an empty form, as the API shows it. */
export const readParams = (params: string | null): FormData => parseObject(params)

/** The form data of a saved chart: what was saved, and what the chart knows better. */
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

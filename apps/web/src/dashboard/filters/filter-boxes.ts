import { defaultChoices, filterBoxMask } from '@parquetry/charts'
import type { DataMask } from '@parquetry/model'
import type { Dashboard } from '../document/read-dashboard.ts'

/** What the filter boxes of a dashboard filter by before anybody chose: the defaults of their items. */
export const filterBoxMasks = ({ charts }: Pick<Dashboard, 'charts'>): DataMask =>
  Object.fromEntries(
    [...charts.values()]
      .filter(({ form_data }) => form_data.viz_type === 'filter_box')
      .map(({ id, form_data }) => [String(id), filterBoxMask(form_data, defaultChoices(form_data))] as const)
      .filter(([, { extraFormData }]) => Object.keys(extraFormData).length > 0),
  )

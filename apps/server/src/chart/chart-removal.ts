import type { Removal } from '../http/removing.ts'
import { refuseUsedByReports } from '../http/report-uses.ts'
import { chartResource, type ChartRow } from './chart-resource.ts'

/** How charts are deleted: they go to the trash. */
export const chartRemoval: Removal<ChartRow> = {
  resource: chartResource,
  action: ['can_write', 'Chart'],
  words: ['chart', 'charts'],
  entry: ({ id }) => ({ slice_id: id }),
  check: (rows, context) => refuseUsedByReports(context, 'chart', rows),
  trash: { kind: 'chart', name: ({ slice_name }) => slice_name },
  async remove(trx, { id }) {
    await trx.deleteFrom('favorite').where('kind', '=', 'chart').where('object_id', '=', id).execute()
    await trx.deleteFrom('chart').where('id', '=', id).execute()
  },
}

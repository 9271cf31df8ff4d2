import type { Removal } from '../http/removing.ts'
import { refuseUsedByReports } from '../http/report-uses.ts'
import { datasetResource } from './dataset-resource.ts'
import { removeDataset } from './save-dataset.ts'
import { datasetName, type DatasetRow } from './stored-dataset.ts'

/** How datasets are deleted: they go to the trash. */
export const datasetRemoval: Removal<DatasetRow> = {
  resource: datasetResource,
  action: ['can_write', 'Dataset'],
  words: ['dataset', 'datasets'],
  check: (rows, context) => refuseUsedByReports(context, 'dataset', rows),
  trash: { kind: 'dataset', name: datasetName },
  remove: removeDataset,
}

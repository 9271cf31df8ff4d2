export { sampleDataset, type DatasetSetup } from './datasets.ts'
export { datasetSetups, type SampleName } from './dataset-setups.ts'
export { golden, goldenText } from './golden.ts'
export { planCase, queryCases, type QueryCase } from './query-cases.ts'
export {
  differenceOf,
  isDifferent,
  readDifferences,
  readReference,
  referenceDatasets,
  type Difference,
  type RecordedCase,
} from './reference.ts'
export { Replay, type Received, type Send, type Sent } from './replay.ts'

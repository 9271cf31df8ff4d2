export { sampleDataset } from './datasets.ts'
export { datasetSetups, type SampleName } from './dataset-setups.ts'
export { golden, goldenText } from './golden.ts'
export { planCase, queryCases } from './query-cases.ts'
export {
  differenceOf,
  isDifferent,
  readDifferences,
  readReference,
  referenceDatasets,
  type Difference,
  type RecordedCase,
} from './reference.ts'
export { Replay, type Received, type Send } from './replay.ts'

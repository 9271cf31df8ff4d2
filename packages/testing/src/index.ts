export { sampleDataset, type DatasetSetup } from './datasets.ts'
export { isDifferent, readReference, referenceDatasets, type RecordedCase } from './reference.ts'

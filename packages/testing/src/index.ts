export { sampleDataset } from './datasets.ts'
export { datasetSetups, type SampleName } from './dataset-setups.ts'
export { readExceptions, readInventory, type CallState, type Exception, type InventoryRow } from './inventory.ts'
export { compareWithGolden, formatGolden } from './golden.ts'
export { planCase, queryCases } from './query-cases.ts'
export {
  knownDifferenceOf,
  isKnownDifference,
  listReferenceBundles,
  readAcceptedFields,
  readKnownDifferences,
  readRecordedClients,
  readReferenceDocument,
  readDocumentDeviations,
  readReference,
  referenceDatasets,
  type AcceptedField,
  type KnownDifference,
  type RecordedCase,
} from './reference.ts'
export { Replay, type ReplayResponse, type SendRequest } from './replay.ts'

export * from './frame.ts'
export { cellAt, decimalText, genericOf, isNull, isText, numberAt, rowsOf, textAt } from './cells.ts'
export { columnOf, frameOf } from './columns.ts'
export { concat } from './concat.ts'
export { describe } from './describe.ts'
export { byteCounter } from './size.ts'
export { slice, take } from './take.ts'
export * from './wire/index.ts'
export { postProcess, type PostProcessed } from './post-processing/index.ts'
export { joinOffsets, type OffsetResult } from './join-offsets.ts'
export {
  postProcessedJson,
  postProcessedTable,
  type PostProcessedTable,
  type TableLook,
} from './post-processed/index.ts'

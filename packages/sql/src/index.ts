export { guardEmbedded, guardNetwork } from './guard.ts'
export { refusedFunctions } from './functions.ts'
export { isReadOnly, spliceLimit, tablesRead, type TableName } from './rules.ts'
export { statementSpans, stripComments, tokensOf } from './text.ts'

import { lex, type Token } from '@parquetry/model/lex'
import type { Dialect } from '../sql/dialect.ts'
import type { Sql } from '../sql/sql.ts'

/** Words whose value is another one at each asking, or which choose rows by chance. */
const nondeterministicWords =
  /^(RANDOM\w*|RAND|UUID\w*|GEN_RANDOM_\w+|SETSEED|NOW|TODAY|AGE|CURRENT_\w+|LOCALTIME\w*|GET_CURRENT_\w+|TRANSACTION_TIMESTAMP|STATEMENT_TIMESTAMP|CLOCK_TIMESTAMP|TIMEOFDAY|NEXTVAL|LASTVAL|CURRVAL|TXID_CURRENT|TABLESAMPLE|SAMPLE)$/

/** Texts that some engines read as an instant. */
const clockText = /^'\s*(now|today|tomorrow|yesterday)\s*'$/i

/** Whether these tokens give the same whenever they are asked of the same rows: they read neither clock nor dice. */
export function areDeterministic(tokens: readonly Token[]): boolean {
  return tokens.every(({ kind, text }, at) => {
    if (kind === 'word') return !nondeterministicWords.test(text)
    if (kind === 'string') return !clockText.test(text)
    // A quoted name may call any function.
    return kind !== 'name' || tokens[at + 1]?.kind !== 'open'
  })
}

/** The same of a piece: what people wrote in it is looked at. */
export const isDeterministic = ({ parts }: Sql, dialect: Dialect): boolean =>
  parts.every((part) => !('byUser' in part) || areDeterministic(lex(part.text, dialect.name)))

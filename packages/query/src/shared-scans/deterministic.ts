import { lex, type Token } from '@parquetry/model/lex'
import type { Dialect } from '../sql/dialect.ts'
import type { Sql } from '../sql/sql.ts'

/** Words whose value changes between runs, or which select rows at random. */
const nondeterministicWords =
  /^(RANDOM\w*|RAND|UUID\w*|GEN_RANDOM_\w+|SETSEED|NOW|TODAY|AGE|CURRENT_\w+|LOCALTIME\w*|GET_CURRENT_\w+|TRANSACTION_TIMESTAMP|STATEMENT_TIMESTAMP|CLOCK_TIMESTAMP|TIMEOFDAY|NEXTVAL|LASTVAL|CURRVAL|TXID_CURRENT|TABLESAMPLE|SAMPLE)$/

/** Strings that some engines read as an instant. */
const clockText = /^'\s*(now|today|tomorrow|yesterday)\s*'$/i

/** Returns whether the tokens always give the same result over the same rows: they read neither the clock nor random numbers. */
export function areDeterministic(tokens: readonly Token[]): boolean {
  return tokens.every(({ kind, text }, index) => {
    if (kind === 'word') return !nondeterministicWords.test(text)
    if (kind === 'string') return !clockText.test(text)
    // A quoted name may call any function.
    return kind !== 'name' || tokens[index + 1]?.kind !== 'open'
  })
}

/** Same for a piece of SQL; only its user-written parts are checked. */
export const isDeterministic = ({ parts }: Sql, dialect: Dialect): boolean =>
  parts.every((part) => !('byUser' in part) || areDeterministic(lex(part.text, dialect.name)))

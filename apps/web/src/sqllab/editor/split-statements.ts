import { lex } from '@parquetry/model/lex'
import { parseSegments, listStatements } from './statements.ts'

/** Splits a text into statements, each with its offset. */
export const splitStatements = (text: string, dialect: string): { sql: string; from: number }[] =>
  listStatements(parseSegments(text, dialect)).map(({ from, to }) => ({ sql: text.slice(from, to), from }))

const reading = new Set('SELECT WITH FROM VALUES TABLE SHOW DESCRIBE DESC EXPLAIN SUMMARIZE'.split(' '))

/** Returns whether a statement starts like one that only reads. Only selects how to run it: the server decides what it may do. */
export function isReadOnlySql(sql: string, dialect: string): boolean {
  const tokens = lex(sql, dialect)
  const first = tokens.find(({ kind }) => kind !== 'comment' && kind !== 'open')
  return first?.kind === 'word' && reading.has(first.text) && !tokens.some(isInto)
}

const isInto = ({ kind, text }: { kind: string; text: string }): boolean => kind === 'word' && text === 'INTO'

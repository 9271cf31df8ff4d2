import { readLines, statementsOf, type Quoting } from './statements.ts'

/** The statements of a text, each with the place where it begins. */
export function splitText(text: string, quoting: Quoting): { sql: string; from: number }[] {
  const lines = text.split('\n')
  const doc = { lines: lines.length, line: (number: number) => ({ text: lines[number - 1] ?? '' }) }
  return statementsOf(readLines(doc, quoting)).map(({ from, to }) => ({ sql: text.slice(from, to), from }))
}

/** Whether a statement begins like one that only reads. For choosing how to run only: the server judges what it may do. */
export const readsOnly = (sql: string): boolean =>
  /^(?:\s|--[^\n]*\n|\/\*[^]*?\*\/|\()*(?:select|with|from|values|table|show|describe|desc|explain|summarize)\b/i.test(
    sql,
  ) && !/\binto\b/i.test(sql)

import { splitStatements } from './split-statements.ts'

const head =
  /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*create\s+table\s+(?:main\s*\.\s*)?("(?:[^"]|"")+"|[a-z_][\w$]*)\s+as\s+(?=[(]|(?:select|with|from|values)\b)/i

export interface CreateTableText {
  /** Name of the new table. */
  name: string
  /** The query behind AS, and its offset in the statement. */
  sql: string
  from: number
}

/**
 * Reads a single `CREATE TABLE name AS query`. Sessions of an embedded database cannot write: such a statement runs as a query of
 * which the server makes a table.
 */
export function readCreateTable(text: string, dialect: string): CreateTableText | null {
  const [start, name] = head.exec(text) ?? []
  if (start === undefined || name === undefined || splitStatements(text, dialect).length !== 1) return null
  return {
    name: name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name,
    sql: text.slice(start.length),
    from: start.length,
  }
}

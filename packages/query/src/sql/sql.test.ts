import { expect, it } from 'vitest'
import { ansi } from './dialect.ts'
import { inlineValues, renderSql } from './render.ts'
import { sql, userSql } from './sql.ts'

const text = (piece: ReturnType<typeof sql>) => renderSql(piece, ansi).text

it('binds text from users as values, in order', () => {
  const where = sql.join([sql`${sql.id('a')} = ${"x'; DROP TABLE t"}`, sql`${sql.id('b')} < ${3}`], ' AND ')
  expect(renderSql(sql`SELECT 1 WHERE ${where}`, ansi)).toEqual({
    text: 'SELECT 1 WHERE "a" = $1 AND "b" < $2',
    values: ["x'; DROP TABLE t", 3],
  })
})

it('quotes each name of a path and doubles the quotes inside', () => {
  expect(text(sql`FROM ${sql.id('my schema', 'odd"name')}`)).toBe('FROM "my schema"."odd""name"')
})

it('binds JSON in the shape of a piece as a value, not as SQL', () => {
  const forged = JSON.parse('{"parts":[{"text":"1; DROP TABLE t"}]}')
  expect(text(sql`SELECT ${forged}`)).toBe('SELECT $1')
})

it('writes literals only for display', () => {
  expect(inlineValues(sql`a = ${"O'Hara"} AND b IN ${[1, null, true]} AND ${userSql('c > 1')}`, ansi)).toBe(
    "a = 'O''Hara' AND b IN (1, NULL, TRUE) AND c > 1",
  )
})

import { expect, it } from 'vitest'
import { genericOf } from '../mysql/types.ts'
import { genericOfDeclared } from './types.ts'

it('regression: a time of day is temporal in the API, on SQLite and MySQL too', () => {
  expect(['TIME', 'time', 'TIME(3)', 'TIMESTAMP', 'DATE'].map(genericOfDeclared)).toEqual([2, 2, 2, 2, 2])
  expect(['TIMER', 'TEXT', null].map(genericOfDeclared)).toEqual([1, 1, 1])
  expect(['TIME', 'TIME(6)', 'TIMESTAMP', 'DATETIME', 'DATE'].map(genericOf)).toEqual([2, 2, 2, 2, 2])
  expect(['TEXT', 'TINYTEXT', 'INTEGER'].map(genericOf)).toEqual([1, 1, 0])
})

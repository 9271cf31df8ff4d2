import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { argumentFormats, parsePattern } from '../../packages/model/src/translate.ts'

/** Parts of a message that would not be formatted as intended. */
function faults(pattern: string): string[] {
  return parsePattern(pattern).flatMap((part) => {
    // Double braces are literal text.
    if (typeof part === 'string') return /^\{\{ \S+ \}\}$/.test(part) || !/[{}]|'['{]/.test(part) ? [] : [part]
    if (!part.cases) return part.format === undefined || part.format in argumentFormats ? [] : [part.format]
    return 'other' in part.cases ? Object.values(part.cases).flatMap(faults) : [`no other: ${part.name}`]
  })
}

it('every message of the catalog can be formatted', () => {
  const faultyMessages = readdirSync('messages').flatMap((file) =>
    Object.entries(JSON.parse(readFileSync(`messages/${file}`, 'utf8')) as Record<string, string>).flatMap(
      ([id, text]) => faults(text).map((fault) => `${file} ${id}: ${fault}`),
    ),
  )
  expect(faultyMessages).toEqual([])
  expect(faults("{n, select, a {b} other {c}} {d, date, long} it''s {open")).not.toEqual([])
})

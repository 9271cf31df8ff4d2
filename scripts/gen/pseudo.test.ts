import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parsePattern } from '../../packages/model/src/translate.ts'
import { pseudoLocalize } from './pseudo.ts'

it('marks and lengthens a text and leaves its placeholders', () => {
  expect(pseudoLocalize('Others ({count})')).toBe('⟦Öthérs ({count})···⟧')
  expect(pseudoLocalize('{n, plural, one {# row} other {# rows of {all}}}')).toBe(
    '⟦{n, plural, one {# röw} other {# röws öf {all}}}············⟧',
  )
})

it('has every text of the product, with the same placeholders', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  const names = (text: string): string[] =>
    parsePattern(text).flatMap((part) =>
      typeof part === 'string' ? [] : [part.name, part.format ?? '', ...Object.values(part.cases ?? {}).flatMap(names)],
    )
  for (const path of globSync('messages/*.en.json')) {
    const [english, marked] = [read(path), read(path.replace('.en.', '.en-XA.'))]
    expect(Object.keys(marked)).toEqual(Object.keys(english))
    for (const [id, text] of Object.entries(english)) expect(names(marked[id] ?? ''), id).toEqual(names(text))
  }
})

import { expect, it } from 'vitest'
import { layOutMarkdown } from './markdown.ts'

it('regression: a text nested deeper than the parser can read is drawn as plain text', () => {
  const { blocks } = layOutMarkdown(`${'>'.repeat(5000)}x`, 400, () => undefined)
  expect(blocks.flatMap(({ runs }) => runs.map(({ text }) => text)).join('')).toContain('>>>')
})

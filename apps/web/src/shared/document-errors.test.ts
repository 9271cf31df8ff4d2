import { expect, it } from 'vitest'
import { findCssError } from './css-error.ts'
import { findJsonError } from './json-error.ts'

it('regression: an error in JSON has its line, column and reason', () => {
  expect(findJsonError('{"a": [1, 2]}')).toBeNull()
  expect(findJsonError('{\n  "a": 1,\n  "b" 2\n}')).toMatchObject({ line: 3, column: 7 })
  expect(findJsonError('{\n  "a": 1,\n  "b" 2\n}')?.reason).toMatch(/^Expected ':' after property name$/)
  expect(findJsonError('{\n  "a": 1')).toMatchObject({ line: 2, column: 9 })
  expect(findJsonError('')).toMatchObject({ line: 1, column: 1, reason: 'Unexpected end of JSON input' })
})

it('regression: an error in the structure of CSS has its line and reason', () => {
  for (const css of [
    '',
    '.a { color: red }',
    '@media (width > 1px) { .a { content: "}" } } /* { */',
    ".b::after { content: 'it\\'s' }",
  ])
    expect(findCssError(css)).toBeNull()
  expect(findCssError('.a {\n  color: red;\n\n.b {\n  color: blue }')).toEqual({ line: 1, reason: 'unclosed-block' })
  expect(findCssError('.a { color: red }\n}')).toEqual({ line: 2, reason: 'unopened-block' })
  expect(findCssError('.a {}\n/* never\nclosed')).toEqual({ line: 2, reason: 'unclosed-comment' })
  expect(findCssError('.a {\n content: "x\n}')).toEqual({ line: 2, reason: 'unclosed-string' })
})

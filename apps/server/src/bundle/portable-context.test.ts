import { expect, it } from 'vitest'
import { toPortableContext } from './portable-context.ts'

const context = (options: object) => ({ queries: [{ row_limit: 10, post_processing: [{ operation: 'x', options }] }] })

it.each([
  [{ window: 5, drop_incomplete: true }, { window: 5 }],
  [{ drop_incomplete: true, window: 5 }, { window: 5 }],
  [{ drop_incomplete: true }, {}],
  [
    { columns: ['n'], whole: 'all_records', rename_columns: ['%n'] },
    { columns: ['n'], rename_columns: ['%n'] },
  ],
  [{ columns: ['a,"whole":"all_records"'] }, { columns: ['a,"whole":"all_records"'] }],
])('leaves out the options that the original does not know: %o', (options, expected) => {
  for (const space of [0, 2])
    expect(JSON.parse(toPortableContext(JSON.stringify(context(options), null, space)) ?? '')).toEqual(
      context(expected),
    )
})

it('keeps every digit, and a chart without a query context', () => {
  expect(toPortableContext('{"val":9007199254740993}')).toBe('{"val":9007199254740993}')
  expect(toPortableContext(null)).toBe(null)
})

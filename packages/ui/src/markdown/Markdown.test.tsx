import { expect, it } from 'vitest'
import { show } from '../show.testing.tsx'
import { Markdown } from './Markdown.tsx'

it('regression: each level of headings is larger than the next, and none is smaller than the text', async () => {
  const text = '# One\n\n## Two\n\n### Three\n\n#### Four\n\n##### Five\n\nText'
  const { container } = await show(
    <div style={{ fontSize: 14 }}>
      <Markdown text={text} html />
    </div>,
  )
  const sizes = [...container.querySelectorAll('h2, h3, h4, h5, h6, p')].map((element) =>
    Number.parseFloat(getComputedStyle(element).fontSize),
  )
  expect(sizes).toHaveLength(6)
  expect(sizes.at(-1)).toBe(14)
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  expect(new Set(sizes.slice(0, 5)).size).toBe(5)
})

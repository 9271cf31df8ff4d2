import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { toFrames } from '../testing/frames.ts'
import { ChartHost } from '../views/index.tsx'

const frames = toFrames({
  series: [
    { name: 'at', values: [1, 2, 3, 4] },
    { name: 'a', values: [1, 2, 3, 5] },
    { name: 'b', values: [2, 3, 5, 6] },
  ],
})
const rows = () =>
  page
    .getByRole('row')
    .elements()
    .slice(1)
    .map(({ children }) => Array.from(children, ({ textContent }) => textContent))

it('compares with the first group until another one is selected by click or key', async () => {
  await show(
    <div style={{ width: 480, height: 300 }}>
      <ChartHost
        form={{ viz_type: 'paired_ttest', x_axis: 'at', metrics: ['n'], groupby: ['g'], liftvalue_precision: 1 }}
        frames={frames}
        title="Test"
      />
    </div>,
  )
  const first = [
    ['a', '', '', 'Control'],
    ['b', '0.015392', '+45.5', 'Yes'],
  ]
  await expect.poll(rows).toEqual(first)
  await page.getByRole('button', { name: 'b' }).click()
  expect(rows()).toEqual([
    ['a', '0.015392', '-31.3', 'Yes'],
    ['b', '', '', 'Control'],
  ])
  ;(page.getByRole('button', { name: 'a', exact: true }).element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  expect(rows()).toEqual(first)
})

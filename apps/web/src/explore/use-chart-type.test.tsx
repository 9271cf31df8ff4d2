import { loadChart, type AnyChart, type ChartForm } from '@parquetry/charts'
import { show } from '@parquetry/ui/show.testing.tsx'
import { useReducer } from 'react'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { openDraft, reduceChartDraft } from './draft.ts'
import { useChartType } from './use-chart-type.ts'
import type { ExploreDataset } from './use-explore.ts'

const dataset = { columns: [{ column_name: 'date', is_dttm: true }] } as unknown as ExploreDataset
const line: ChartForm = { viz_type: 'echarts_timeseries_line', x_axis: 'date', metrics: ['count'], groupby: ['origin'] }

function Workbench({ first }: { first: AnyChart }) {
  const [{ edited }, dispatch] = useReducer(reduceChartDraft, line, openDraft)
  const { chart, changeType } = useChartType(first, edited, dataset, (carry) => dispatch({ type: 'become', carry }))
  const remove = () => dispatch({ type: 'set', name: 'x_axis', value: undefined, look: false })
  return (
    <>
      {['table', 'pie', 'echarts_timeseries_line'].map((type) => (
        <button key={type} type="button" onClick={() => changeType(type)}>
          {type}
        </button>
      ))}
      <button type="button" onClick={remove}>
        Remove date
      </button>
      <output aria-label="Form">{`${chart.viz_type} ${edited['viz_type']} by ${edited['groupby'] as string[]}`}</output>
    </>
  )
}

/** Clicks buttons in sequence before any chart code loads. */
async function clicks(...names: string[]): Promise<void> {
  await show(<Workbench first={(await loadChart('echarts_timeseries_line'))!} />)
  for (const name of names) (page.getByRole('button', { name }).element() as HTMLElement).click()
}
const shown = page.getByRole('status', { name: 'Form' })

it('regression: keeps edits made while a chosen chart type loads', async () => {
  await clicks('table', 'Remove date')
  await expect.element(shown).toHaveTextContent('table table by origin')
})

it('regression: applies the last of several chart types chosen in a row', async () => {
  await clicks('table', 'pie')
  await loadChart('table')
  await expect.element(shown).toHaveTextContent('pie pie by origin')
})

it('regression: clicking the current type cancels a choice that is still loading', async () => {
  await clicks('table', 'echarts_timeseries_line')
  await loadChart('table')
  await expect.element(shown).toHaveTextContent('echarts_timeseries_line echarts_timeseries_line by origin')
})

import { expect, it } from 'vitest'
import { chartedDatasets } from './charted-datasets.ts'

const chart = (datasource_id: number, datasource_name_text: string | null) => ({ datasource_id, datasource_name_text })

it('lists each dataset once, by latest chart, without deleted ones', () => {
  const charts = [chart(7, 'main.cars'), chart(2, 'main.flights'), chart(9, null), chart(7, 'main.cars')]
  expect(chartedDatasets(charts)).toEqual([
    { id: 7, name: 'main.cars' },
    { id: 2, name: 'main.flights' },
  ])
})

it('lists at most five', () => {
  expect(chartedDatasets([1, 2, 3, 4, 5, 6].map((id) => chart(id, `table ${id}`)))).toHaveLength(5)
})

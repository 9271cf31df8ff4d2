import type { Translate } from '@parquetry/ui'
import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { datasetList, type DatasetRow } from './datasets/dataset-list.tsx'
import { RowBadges } from './RowBadges.tsx'

const english: Translate = (_id, text) => text
const row = (is_damaged: boolean) => ({ id: 1, extra: null, is_damaged }) as DatasetRow

it('regression: marks a dataset whose file is damaged', async () => {
  await show(<RowBadges definition={datasetList(english)} row={row(true)} />)
  await expect.element(page.getByText('Damaged')).toBeVisible()
  await expect
    .element(page.getByTitle(/^The file for this table is damaged or missing\. Upload the file again/))
    .toBeVisible()
})

it('shows no mark for an intact dataset', async () => {
  await show(<RowBadges definition={datasetList(english)} row={row(false)} />)
  await expect.element(page.getByText('Damaged')).not.toBeInTheDocument()
})

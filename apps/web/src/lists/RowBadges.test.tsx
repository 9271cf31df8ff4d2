import type { Translate } from '@parquetry/ui'
import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { datasetList, type DatasetRow } from './datasets/dataset-list.tsx'
import { RowBadges } from './RowBadges.tsx'

const english: Translate = (_id, text) => text
const row = (is_damaged: boolean) => ({ id: 1, extra: null, is_damaged }) as DatasetRow

it('regression: a dataset whose file is damaged looked like every other', async () => {
  await show(<RowBadges definition={datasetList(english)} row={row(true)} />)
  await expect.element(page.getByText('Damaged')).toBeVisible()
  await expect
    .element(page.getByTitle(/^The file of this table is damaged or missing\. Load its data again/))
    .toBeVisible()
})

it('says nothing of a dataset that is as it should be', async () => {
  await show(<RowBadges definition={datasetList(english)} row={row(false)} />)
  await expect.element(page.getByText('Damaged')).not.toBeInTheDocument()
})

import { IconButton, Menu, toast, toastError, useText, type MenuItem } from '@parquetry/ui'
import { copyCells } from '../../shared/grid/clipboard.ts'
import { htmlOf, jsonOf, markdownOf, tsvOf, type Cells } from '../../shared/grid/copy-text.ts'
import { can } from '../../shared/rights.ts'
import type { Query } from '../tabs.ts'

const mostCellsAsHtml = 200_000

/** All rows as they are shown, in the form that is needed elsewhere. */
export function CopyMenu({ cells }: { cells(): Cells }) {
  const t = useText()
  const copy = async (text: (cells: Cells) => string, html?: (cells: Cells) => string): Promise<void> => {
    const all = cells()
    try {
      const small = all.columns.length * all.rows.length <= mostCellsAsHtml
      await copyCells(text(all), small ? html?.(all) : undefined)
      toast(t('sqllab.result.copied', '{rows, plural, one {# row} other {# rows}} copied', { rows: all.rows.length }))
    } catch {
      toastError(t('shared.grid.copyFailed', 'Sorry, your browser does not support copying.'))
    }
  }
  const columns = async (): Promise<void> => {
    try {
      await copyCells(
        cells()
          .columns.map(({ name }) => name)
          .join(', '),
      )
      toast(t('sqllab.result.columnsCopied', 'Column names copied'))
    } catch {
      toastError(t('shared.grid.copyFailed', 'Sorry, your browser does not support copying.'))
    }
  }
  const items: MenuItem[] = [
    {
      label: t('sqllab.copy.withHeader', 'Rows with headers'),
      icon: 'copy',
      onSelect: () =>
        void copy(
          (all) => tsvOf(all, true),
          (all) => htmlOf(all, true),
        ),
    },
    {
      label: t('sqllab.copy.rows', 'Rows only'),
      onSelect: () =>
        void copy(
          (all) => tsvOf(all, false),
          (all) => htmlOf(all, false),
        ),
    },
    'divider',
    { label: t('sqllab.copy.json', 'As JSON'), onSelect: () => void copy(jsonOf) },
    { label: t('sqllab.copy.markdown', 'As Markdown'), onSelect: () => void copy(markdownOf) },
    'divider',
    { label: t('sqllab.copy.columns', 'Column names'), icon: 'columns', onSelect: () => void columns() },
  ]
  return (
    <Menu label={t('sqllab.result.copy', 'Copy')} items={items} align="end">
      <IconButton icon="copy" variant="secondary" label={t('sqllab.result.copy', 'Copy')} />
    </Menu>
  )
}

/** Whether this user may take results out of the product. */
export const mayDownload = can('can_export_csv', 'SQLLab')

/** The whole result as a file, also the rows that are not shown here. */
export function DownloadMenu({ query }: { query: Query }) {
  const t = useText()
  const file = (label: string, format: string): MenuItem => ({
    label,
    icon: 'download',
    onSelect: () => startDownload(`/api/v1/sqllab/export/${encodeURIComponent(query.id)}/?format=${format}`),
  })
  return (
    <Menu
      label={t('sqllab.result.download', 'Download')}
      align="end"
      items={[
        { heading: t('sqllab.download.all', 'The whole result') },
        file(t('sqllab.download.csv', 'CSV'), 'csv'),
        file(t('sqllab.download.xlsx', 'Excel'), 'xlsx'),
        file(t('sqllab.download.parquet', 'Parquet'), 'parquet'),
      ]}
    >
      <IconButton icon="download" variant="secondary" label={t('sqllab.result.download', 'Download')} />
    </Menu>
  )
}

/** The browser takes the file as it streams; the page stays. */
function startDownload(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}

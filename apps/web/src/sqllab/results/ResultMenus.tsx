import type { FileFormat } from '@parquetry/model'
import { IconButton, Menu, toast, toastError, useTranslate, type MenuItem } from '@parquetry/ui'
import {
  writeClipboard,
  copyTable,
  formatJsonRows,
  formatMarkdownTable,
  type CellBlock,
} from '@parquetry/charts/views/grid/index'
import { can } from '../../shared/rights.ts'
import type { Query } from '../state.ts'

/** Copies all rows as shown, in a choice of formats. */
export function CopyMenu({ cells }: { cells(): CellBlock }) {
  const t = useTranslate()
  const copy = async (copyCells: (cells: CellBlock) => Promise<void>): Promise<void> => {
    const all = cells()
    try {
      await copyCells(all)
      toast(t('sqllab.result.copied', '{rows, plural, one {# row} other {# rows}} copied', { rows: all.rows.length }))
    } catch {
      toastError(t('shared.grid.copyFailed', 'Sorry, your browser does not support copying.'))
    }
  }
  const columns = async (): Promise<void> => {
    try {
      await writeClipboard(
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
      onSelect: () => void copy((all) => copyTable(all, true)),
    },
    { label: t('sqllab.copy.rows', 'Rows only'), onSelect: () => void copy((all) => copyTable(all, false)) },
    'divider',
    {
      label: t('sqllab.copy.json', 'As JSON'),
      onSelect: () => void copy((all) => writeClipboard(formatJsonRows(all))),
    },
    {
      label: t('sqllab.copy.markdown', 'As Markdown'),
      onSelect: () => void copy((all) => writeClipboard(formatMarkdownTable(all))),
    },
    'divider',
    { label: t('sqllab.copy.columns', 'Column names'), icon: 'columns', onSelect: () => void columns() },
  ]
  return (
    <Menu label={t('sqllab.result.copy', 'Copy')} items={items} align="end">
      <IconButton icon="copy" variant="secondary" label={t('sqllab.result.copy', 'Copy')} />
    </Menu>
  )
}

/** True if this user may export results. */
export const canDownloadResults = can('can_export_csv', 'SQLLab')

export interface DownloadMenuProps {
  query: Query
  /** A limit cut off the result: the complete one is available too. */
  isCut: boolean
}

/** Downloads the result: as queried, and if a limit cut it off also without the limit. */
export function DownloadMenu({ query, isCut }: DownloadMenuProps) {
  const t = useTranslate()
  const formats: Record<FileFormat, string> = {
    csv: t('sqllab.download.csv', 'CSV'),
    xlsx: t('sqllab.download.xlsx', 'Excel'),
    parquet: t('sqllab.download.parquet', 'Parquet'),
  }
  const files = (all: boolean): MenuItem[] =>
    Object.entries(formats).map(([format, name]) => ({
      label: all ? t('sqllab.download.unlimited', '{format} without row limit', { format: name }) : name,
      icon: 'download',
      onSelect: () =>
        startDownload(
          `/api/v1/sqllab/export/${encodeURIComponent(query.id)}/?format=${format}${all ? '&rows=all' : ''}`,
        ),
    }))
  return (
    <Menu
      label={t('sqllab.result.download', 'Download')}
      align="end"
      items={[...files(false), ...(isCut ? ['divider' as const, ...files(true)] : [])]}
    >
      <IconButton icon="download" variant="secondary" label={t('sqllab.result.download', 'Download')} />
    </Menu>
  )
}

/** The browser streams the file; the page stays. */
function startDownload(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  document.body.append(link)
  link.click()
  link.remove()
}

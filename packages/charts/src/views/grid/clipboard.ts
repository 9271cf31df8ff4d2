import { formatHtmlTable, formatTsvInChunks, type CellBlock } from './copy-text.ts'

/**
 * Copies a text, and a table for programs that accept HTML. Without the clipboard API (plain http) it uses `execCommand`.
 * @throws when the browser refuses
 */
export async function writeClipboard(text: string, html?: string): Promise<void> {
  if (navigator.clipboard && 'ClipboardItem' in window) {
    const parts: Record<string, Blob> = { 'text/plain': new Blob([text], { type: 'text/plain' }) }
    if (html !== undefined) parts['text/html'] = new Blob([html], { type: 'text/html' })
    return navigator.clipboard.write([new ClipboardItem(parts)])
  }
  let isCopied = false
  const fill = (event: ClipboardEvent): void => {
    event.preventDefault()
    event.clipboardData?.setData('text/plain', text)
    if (html !== undefined) event.clipboardData?.setData('text/html', html)
    isCopied = true
  }
  document.addEventListener('copy', fill, { once: true, capture: true })
  document.execCommand('copy')
  document.removeEventListener('copy', fill, { capture: true })
  if (!isCopied) throw new Error('not copied')
}

/** Larger tables as HTML are of no use in text processors. */
const maxHtmlCells = 200_000

/** Copies the cells as a table: TSV, and also HTML unless there are too many. @throws when the browser refuses */
export async function copyTable(cells: CellBlock, withHeader: boolean): Promise<void> {
  const isSmall = cells.columns.length * cells.rows.length <= maxHtmlCells
  await writeClipboard(
    await formatTsvInChunks(cells, withHeader),
    isSmall ? formatHtmlTable(cells, withHeader) : undefined,
  )
}

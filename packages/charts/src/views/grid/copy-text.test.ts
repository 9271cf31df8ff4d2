import { buildFrame } from '@parquetry/frame'
import { describe, expect, it } from 'vitest'
import { formatHtmlTable, formatJsonRows, formatMarkdownTable, formatTsvInChunks, formatTsv } from './copy-text.ts'

const { columns } = buildFrame({
  'a|b': ['x\ty', 'say "hi"', null, '<b>'],
  n: [9007199254740993n, null, 2n, 3n],
})
const cells = { columns, rows: [0, 1, 2, 3] }

describe('copied cells', () => {
  it('are tab-separated, quoted where necessary, and include the header on request', () => {
    expect(formatTsv(cells, true)).toBe('a|b\tn\n"x\ty"\t9007199254740993\n"say ""hi"""\t\n\t2\n<b>\t3')
    expect(formatTsv({ columns: columns.slice(1), rows: [2, 0] }, false)).toBe('2\n9007199254740993')
  })
  it('may have several header rows instead of column names', () => {
    const two = {
      ...cells,
      rows: [2],
      heads: [
        ['', 'top'],
        ['<a>', 'n'],
      ],
    }
    expect(formatTsv(two, true)).toBe('\ttop\n<a>\tn\n\t2')
    expect(formatTsv(two, false)).toBe('\t2')
    expect(formatHtmlTable(two, true)).toContain('<tr><th></th><th>top</th></tr><tr><th>&lt;a&gt;</th><th>n</th></tr>')
  })
  it('contain no markup from the data as HTML', () => {
    const html = formatHtmlTable(cells, true)
    expect(html).toContain('<th>a|b</th>')
    expect(html).toContain('&lt;b&gt;')
    expect(html).not.toContain('<b>')
  })
  it('keep all digits and distinguish null from text as JSON', () => {
    expect(formatJsonRows({ columns, rows: [0, 2] })).toBe(
      '[\n  {"a|b": "x\\ty", "n": 9007199254740993},\n  {"a|b": null, "n": 2}\n]',
    )
  })
  it('escape pipes as Markdown', () => {
    expect(formatMarkdownTable({ columns, rows: [2] })).toBe('| a\\|b | n |\n| --- | ---: |\n|  | 2 |')
  })
  it('are the same text when built in pieces, for any number of rows', async () => {
    for (const rows of [0, 1, 4000, 4001, 9000]) {
      const many = { columns, rows: Uint32Array.from({ length: rows }, (_, row) => row % 4) }
      for (const withHeader of [true, false])
        expect(await formatTsvInChunks(many, withHeader)).toBe(formatTsv(many, withHeader))
    }
  })
})

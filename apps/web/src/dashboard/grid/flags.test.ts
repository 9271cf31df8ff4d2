import { renderMarkdown } from '../../../../../packages/ui/src/markdown/render-markdown.ts'
import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { showsHtml } from './flags.ts'

const shown = (flags: Record<string, boolean>) =>
  renderToStaticMarkup(
    createElement(
      Fragment,
      {},
      ...renderMarkdown('A <b>bold</b> <script>alert(1)</script>word', { html: showsHtml(flags) }),
    ),
  )

describe('HTML in the text of a dashboard', () => {
  it('is sanitized and shown by default', () => {
    expect(shown({})).toBe('<p>A <b>bold</b> word</p>')
    expect(shown({ DISPLAY_MARKDOWN_HTML: true, ESCAPE_MARKDOWN_HTML: false })).toContain('<b>bold</b>')
  })
  it('PERM-032: is shown as text without DISPLAY_MARKDOWN_HTML', () => {
    expect(shown({ DISPLAY_MARKDOWN_HTML: false })).toContain('&lt;b&gt;bold&lt;/b&gt;')
  })
  it('PERM-033: is shown as text with ESCAPE_MARKDOWN_HTML', () => {
    expect(shown({ DISPLAY_MARKDOWN_HTML: true, ESCAPE_MARKDOWN_HTML: true })).toContain('&lt;b&gt;bold&lt;/b&gt;')
  })
})

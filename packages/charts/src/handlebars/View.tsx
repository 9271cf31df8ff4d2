import { ErrorPanel } from '@parquetry/ui'
import { renderMarkdown } from '@parquetry/ui/markdown/render-markdown.ts'
import { useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import type { TableState } from '../shared/table/query.ts'
import { ChartMessage } from '../views/messages.tsx'
import { TableBar } from '../views/TableBar.tsx'
import type { ViewProps } from '../views/view.ts'
import type { HandlebarsSpec } from './chart.ts'
import styles from './handlebars.module.css'
import basic from './basic.css?inline'

/**
 * Renders the sanitized output of the template in a shadow root: its styles affect nothing else, and it paints nothing outside
 * its box.
 */
export default function HandlebarsView({ spec: given, frames, label, state: anyState, onState }: ViewProps) {
  const { html, css, error, isPaged, pageLength, rowcount } = given as HandlebarsSpec
  const state = anyState as TableState
  const nodes = useMemo(() => renderMarkdown(html, { html: true, isolated: true }), [html])
  if (error)
    return (
      <ChartMessage>
        <ErrorPanel inline title={error.title} details={error.excerpt || undefined}>
          {error.text}
        </ErrorPanel>
      </ChartMessage>
    )
  const count = rowcount ?? frames.rows?.rows ?? 0
  return (
    <div className={styles.chart}>
      {isPaged && count > pageLength && (
        <TableBar
          hasSearch={false}
          search=""
          onSearch={() => undefined}
          page={state.currentPage ?? 0}
          pageSize={pageLength}
          count={count}
          onPage={(currentPage) => onState?.({ ...state, currentPage })}
        />
      )}
      {/* The output may be longer than the chart: focus allows scrolling by keyboard. */}
      <div className={styles.box} role="region" aria-label={label} tabIndex={0}>
        <Shadow css={css}>{nodes}</Shadow>
      </div>
    </div>
  )
}

function Shadow({ css, children }: { css: string; children: ReactNode }) {
  const host = useRef<HTMLDivElement>(null)
  const [root, setRoot] = useState<ShadowRoot | null>(null)
  useLayoutEffect(() => {
    const element = host.current!
    setRoot(element.shadowRoot ?? element.attachShadow({ mode: 'open' }))
  }, [])
  useLayoutEffect(() => {
    host.current!.shadowRoot!.adoptedStyleSheets = [createStyleSheet(basic), createStyleSheet(css)]
  }, [css])
  return <div ref={host}>{root && createPortal(children, root)}</div>
}

function createStyleSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return sheet
}

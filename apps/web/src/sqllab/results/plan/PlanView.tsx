import type { Frame } from '@parquetry/frame'
import { Button, Icon, useCopy, useTranslate } from '@parquetry/ui'
import { useMemo, useState } from 'react'
import { formatNumber } from '../../../shared/formats.ts'
import type { PlanNode } from './plan.ts'
import { readPlan } from './read-plan.ts'
import styles from './plan.module.css'

export interface PlanViewProps {
  frame: Frame
  as: 'plan' | 'text'
}

/** The plan of EXPLAIN as a tree whose steps collapse, or as the text of the engine. */
export function PlanView({ frame, as }: PlanViewProps) {
  const t = useTranslate()
  const copy = useCopy()
  const { roots, text } = useMemo(() => readPlan(frame), [frame])
  if (as === 'plan' && roots.length > 0)
    return (
      <ul className={styles.tree} aria-label={t('sqllab.plan', 'Query plan')} tabIndex={0} data-pane>
        {roots.map((node, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- steps have no identity, and a plan never changes
          <Step key={index} node={node} />
        ))}
      </ul>
    )
  return (
    <div className={styles.text}>
      <Button icon="copy" onClick={() => copy(text, t('sqllab.plan.copied', 'Plan copied'))}>
        {t('sqllab.plan.copy', 'Copy plan')}
      </Button>
      <pre tabIndex={0} data-pane>
        {text}
      </pre>
    </div>
  )
}

function Step({ node }: { node: PlanNode }) {
  const t = useTranslate()
  const [isOpen, setOpen] = useState(true)
  const { name, estimatedRows, actualRows, cost, time, details, children } = node
  const figures = [
    actualRows !== null && t('sqllab.plan.rows', '{rows} rows', { rows: formatFigure(actualRows) }),
    estimatedRows !== null && t('sqllab.plan.estimatedRows', '~{rows} rows', { rows: formatFigure(estimatedRows) }),
    cost !== null && t('sqllab.plan.cost', 'cost {cost}', { cost: formatFigure(cost) }),
    time,
  ].filter((figure) => typeof figure === 'string')
  const hasMore = children.length > 0 || details.length > 0
  const line = (
    <>
      <span className={styles.name}>{name}</span>
      {figures.map((figure) => (
        <span key={figure} className={styles.figure}>
          {figure}
        </span>
      ))}
    </>
  )
  return (
    <li>
      {hasMore ? (
        <button type="button" className={styles.step} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
          {line}
        </button>
      ) : (
        <span className={styles.step}>
          <span className={styles.leaf} />
          {line}
        </span>
      )}
      {isOpen && hasMore && (
        <div className={styles.inner}>
          {details.map((detail, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines may be equal
            <p key={index} className={styles.detail}>
              {detail}
            </p>
          ))}
          {children.length > 0 && (
            <ul>
              {children.map((child, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- steps have no identity
                <Step key={index} node={child} />
              ))}
            </ul>
          )}
        </div>
      )}
    </li>
  )
}

/** Numbers of an engine in the locale of the page; other text unchanged. */
function formatFigure(text: string): string {
  const number = Number(text.replaceAll(',', ''))
  return Number.isFinite(number) && text !== '' ? formatNumber(number, { maximumFractionDigits: 2 }) : text
}

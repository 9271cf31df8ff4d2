import { Button, useTranslate } from '@parquetry/ui'
import styles from './SqlLab.module.css'

export type Pane = 'schema' | 'query' | 'result'

/** Selects the one pane that a phone shows at a time. */
export function PaneSwitch({ pane, onPane }: { pane: Pane; onPane(pane: Pane): void }) {
  const t = useTranslate()
  const panes = [
    ['schema', t('sqllab.pane.schema', 'Schema')],
    ['query', t('sqllab.pane.query', 'Query')],
    ['result', t('sqllab.pane.result', 'Result')],
  ] as const
  return (
    <div className={styles.panes} role="group" aria-label={t('sqllab.panes', 'Panes')}>
      {panes.map(([name, label]) => (
        <Button key={name} variant="quiet" aria-pressed={pane === name} onClick={() => onPane(name)}>
          {label}
        </Button>
      ))}
    </div>
  )
}

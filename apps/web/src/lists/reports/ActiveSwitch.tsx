import { Switch, useTranslate } from '@parquetry/ui'
import { useActivate } from '../../shared/reports/use-activate.ts'
import styles from './reports.module.css'

interface ActiveSwitchProps {
  row: { id: number; name: string; active: boolean }
  disabled: boolean
}

/** Shows the new state at once, and the old one again if the server refuses. */
export function ActiveSwitch({ row, disabled }: ActiveSwitchProps) {
  const t = useTranslate()
  const activate = useActivate()
  return (
    <span className={styles.switch}>
      <Switch
        checked={activate.isPending ? activate.variables.active : row.active}
        disabled={disabled}
        onChange={(active) => activate.mutate({ id: row.id, active })}
        aria-label={t('reports.list.activate', 'Active: {name}', { name: row.name })}
      />
    </span>
  )
}

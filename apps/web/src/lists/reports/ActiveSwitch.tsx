import { Switch, toastError, useTranslate } from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import styles from './reports.module.css'

interface ActiveSwitchProps {
  row: { id: number; name: string; active: boolean }
  disabled: boolean
}

/** Turns alerts and reports on and off; a failure is shown as a toast (REPORT-011). */
export function useActivate() {
  const t = useTranslate()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, active }: { id: number; active: boolean }) =>
      api.put('/api/v1/report/:id', { params: { id }, body: { active } }),
    onError: () => toastError(t('reports.activeFailed', 'We were unable to active or deactivate this report.')),
    onSettled: () => queries.invalidateQueries({ queryKey: ['report', 'list'] }),
  })
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

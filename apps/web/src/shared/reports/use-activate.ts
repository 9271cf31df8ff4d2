import { toastError, useTranslate } from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'

/**
 * Turns alerts and reports on and off. A failure is shown as a toast (REPORT-011), and so is a report that stays inactive because a channel of its
 * recipients is not set up.
 */
export function useActivate(onChanged?: () => void) {
  const t = useTranslate()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, active }: { id: number; active: boolean }) =>
      api.put('/api/v1/report/:id', { params: { id }, body: { active } }),
    onSuccess: ({ result }, { active }) => {
      if (active && result['active'] === false)
        toastError(
          t('reports.staysInactive', 'The report stays inactive, because a channel of its recipients is not set up.'),
        )
      else onChanged?.()
    },
    onError: () => toastError(t('reports.activeFailed', 'We were unable to active or deactivate this report.')),
    onSettled: () => queries.invalidateQueries({ queryKey: ['report'] }),
  })
}

import { Switch, toastError, useTranslate } from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { isAdmin } from '../../shared/rights.ts'

/** Sets if users with a role must sign in with a second factor. Takes effect immediately. */
export function RoleSecondFactor({ roleId }: { roleId: number }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const queryKey = ['account', 'role', roleId, 'second-factor']
  const state = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/security/roles/:id/second_factor/', { params: { id: roleId }, signal })).result.required,
  })
  const update = useMutation({
    mutationFn: (required: boolean) =>
      api.put('/api/v1/security/roles/:id/second_factor/', { params: { id: roleId }, body: { required } }),
    onError: (error) => toastError(messageOf(error)),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  })
  return (
    <Switch
      checked={update.isPending ? update.variables : (state.data ?? false)}
      disabled={!isAdmin || state.data === undefined || update.isPending}
      onChange={(required) => update.mutate(required)}
      label={t('account.factor.requireForRole', 'Require a second factor')}
      help={t(
        'account.factor.requireHelp',
        'Users who have none set it up at their next sign-in. Signing in with a password alone is refused, also for programs.',
      )}
    />
  )
}

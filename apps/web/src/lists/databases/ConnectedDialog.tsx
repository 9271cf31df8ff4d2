import { Button, ButtonLink, Dialog, StatusChip, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { hasSqlLab } from '../../shared/rights.ts'
import { countTables, type TableCounts } from './count-tables.ts'
import { canManageAccess, RolesDialog } from './RolesDialog.tsx'

async function fetchCounts(id: number, signal: AbortSignal): Promise<TableCounts> {
  const { result } = await api.get('/api/v1/database/:id/schemas/', { params: { id }, signal })
  return countTables(
    result,
    async (schema_name) =>
      (await api.get('/api/v1/database/:id/tables/', { params: { id }, q: { schema_name }, signal })).count,
  )
}

/** Summary of the connected database, and next actions. */
export function ConnectedDialog({ id, name, onClose }: { id: number; name: string; onClose(): void }) {
  const t = useTranslate()
  const [isGiving, setGiving] = useState(false)
  const found = useQuery({
    queryKey: ['database', 'found', id],
    queryFn: ({ signal }) => fetchCounts(id, signal),
    retry: false,
    gcTime: 0,
  })
  const schemas =
    found.data && t('lists.connect.schemas', '{n, plural, one {# schema} other {# schemas}}', { n: found.data.schemas })
  const tables =
    found.data?.tables == null
      ? null
      : t('lists.connect.tables', '{n, plural, one {# table} other {# tables}}', { n: found.data.tables })
  return (
    <Dialog
      open
      title={t('lists.connect.done', '{name} is connected', { name })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.close', 'Close')}</Button>
          {canManageAccess && (
            <Button onClick={() => setGiving(true)}>{t('lists.roles.title', 'Manage access')}</Button>
          )}
          <ButtonLink href="/dataset/add/">{t('lists.connect.chart', 'Create chart from a table')}</ButtonLink>
          {hasSqlLab && (
            <ButtonLink variant="primary" href={`/superset/sqllab/?dbid=${id}`}>
              {t('lists.connect.browse', 'Browse in SQL Lab')}
            </ButtonLink>
          )}
        </>
      }
    >
      <p role="status">
        {found.isPending ? (
          <StatusChip busy>{t('lists.connect.counting', 'Counting tables…')}</StatusChip>
        ) : found.data ? (
          <StatusChip tone="success" icon="check">
            {tables === null ? schemas : `${schemas}, ${tables}`}
          </StatusChip>
        ) : (
          t('lists.connect.uncounted', 'Could not list the tables yet.')
        )}
      </p>
      <p>
        {t(
          'lists.connect.who',
          'Until you give other roles access, only roles that can read every database, such as Admin and Alpha, can use it.',
        )}
      </p>
      {isGiving && <RolesDialog id={id} onClose={() => setGiving(false)} />}
    </Dialog>
  )
}

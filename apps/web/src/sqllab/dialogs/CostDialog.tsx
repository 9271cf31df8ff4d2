import { Button, Dialog, ErrorPanel, ProgressLine, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { parseTemplateParams } from '../editor/use-validation.ts'
import type { QueryEditor } from '../state.ts'

export interface CostDialogProps {
  tab: QueryEditor
  sql: string
  onClose(): void
}

/** SQL-051: the database's cost estimate of a query before it runs; loading, loaded or failed. */
export function CostDialog({ tab: { dbId, schema, catalog, templateParams }, sql, onClose }: CostDialogProps) {
  const t = useTranslate()
  const cost = useQuery({
    queryKey: ['sqllab', 'cost', dbId, schema, catalog, sql, templateParams],
    queryFn: async ({ signal }) =>
      (
        await api.post('/api/v1/sqllab/estimate/', {
          body: { database_id: dbId ?? -1, sql, schema, catalog, template_params: parseTemplateParams(templateParams) },
          signal,
        })
      ).result,
    gcTime: 0,
    retry: false,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('sqllab.cost.title', 'Estimated cost')}
      footer={<Button onClick={onClose}>{t('sqllab.dialog.close', 'Close')}</Button>}
    >
      {cost.isPending && <ProgressLine label={t('sqllab.cost.busy', 'Estimating cost…')} />}
      {cost.isError && (
        <ErrorPanel
          inline
          title={t('sqllab.noResults', 'Failed at retrieving results')}
          onRetry={() => void cost.refetch()}
        >
          {messageOf(cost.error)}
        </ErrorPanel>
      )}
      {cost.data?.map((statement, index) => (
        <dl key={index}>
          {Object.entries(statement).map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ))}
    </Dialog>
  )
}

import { ButtonLink, EmptyState, useText } from '@parquetry/ui'
import { can, hasSqlLab } from '../shared/rights.ts'

/** In place of empty sections while nothing exists that the user may see. */
export function Start() {
  const t = useText()
  const mayConnect = can('can_write', 'Database')
  return (
    <EmptyState
      title={t('home.start.title', 'Start with your data')}
      actions={
        <>
          {mayConnect && (
            <ButtonLink variant="primary" icon="plug" href="/databaseview/list/?show_database_modal=true">
              {t('app.create.database', 'Connect a database')}
            </ButtonLink>
          )}
          {can('can_write', 'Dataset') && (
            <ButtonLink icon="dataset" href="/dataset/add/">
              {t('home.start.dataset', 'Add a dataset')}
            </ButtonLink>
          )}
          {hasSqlLab && (
            <ButtonLink icon="sql" href="/superset/sqllab/">
              {t('home.start.sql', 'Write SQL')}
            </ButtonLink>
          )}
        </>
      }
    >
      {mayConnect
        ? t('home.start.text', 'Connect a database, turn a table into a dataset, and the first chart is drawn for you.')
        : t('home.start.nothing', 'Nothing has been shared with you yet. Ask an owner of a dashboard for access.')}
    </EmptyState>
  )
}

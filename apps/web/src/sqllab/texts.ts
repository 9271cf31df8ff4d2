import { t } from '../shared/intl.ts'
import type { SyncFailure } from './persistence/server-sync.ts'
import type { SyncedField } from './persistence/local-tabs.ts'

/** SQL-089 to SQL-097: message for a field that could not be stored. */
const storeText = (field: SyncedField): string => {
  const texts: Record<SyncedField, () => string> = {
    latestQueryId: () =>
      t(
        'sqllab.store.latestQuery',
        'An error occurred while storing the latest query id on the server. Contact your administrator if this persists.',
      ),
    sql: () =>
      t(
        'sqllab.store.tab',
        'An error occurred while storing the tab on the server. Contact your administrator if this persists.',
      ),
    dbId: () =>
      t(
        'sqllab.store.database',
        'An error occurred while storing the database on the server. Contact your administrator if this persists.',
      ),
    schema: () =>
      t(
        'sqllab.store.schema',
        'An error occurred while storing the schema on the server. Contact your administrator if this persists.',
      ),
    autorun: () =>
      t(
        'sqllab.store.autorun',
        'An error occurred while storing autorun on the server. Contact your administrator if this persists.',
      ),
    name: () =>
      t(
        'sqllab.store.name',
        "An error occurred while storing the tab's name on the server. Contact your administrator if this persists.",
      ),
    templateParams: () =>
      t(
        'sqllab.store.templateParams',
        'An error occurred while storing the template parameters on the server. Contact your administrator if this persists.',
      ),
    queryLimit: () =>
      t(
        'sqllab.store.queryLimit',
        'An error occurred while storing the query limit on the server. Contact your administrator if this persists.',
      ),
    hideLeftBar: () =>
      t(
        'sqllab.store.leftBar',
        'An error occurred while storing the left bar on the server. Contact your administrator if this persists.',
      ),
    catalog: () => storeText('schema'),
    remoteId: () => storeText('sql'),
  }
  return texts[field]()
}

/** Messages and severity of a sync failure. */
export function failureTexts(failure: SyncFailure): { kind: 'error' | 'warning'; texts: string[] } {
  switch (failure.what) {
    case 'store':
      return { kind: 'error', texts: [...new Set(failure.fields.map(storeText))] }
    case 'migrate': {
      const texts = {
        // SQL-098
        tab: () =>
          t(
            'sqllab.migrate.tab',
            'Moving a tab to the server failed. It stays in this browser and will be tried again on the next load.',
          ),
        // SQL-099
        table: () =>
          t(
            'sqllab.migrate.table',
            'Moving a table to the server failed. It stays in this browser and will be tried again on the next load.',
          ),
        // SQL-100
        query: () =>
          t(
            'sqllab.migrate.query',
            'Moving a query to the server failed. It stays in this browser and will be tried again on the next load.',
          ),
      }
      return { kind: 'warning', texts: [texts[failure.thing]()] }
    }
    case 'add':
      return { kind: 'error', texts: [t('sqllab.tab.notAdded', 'Unable to add a new tab')] }
    case 'load':
      return { kind: 'error', texts: [t('sqllab.tab.notLoaded', 'An error occurred while fetching tab state')] }
    case 'expandTable':
      return {
        kind: 'error',
        texts: [t('sqllab.table.notExpanded', 'An error occurred while expanding table metadata')],
      }
    case 'collapseTable':
      return {
        kind: 'error',
        texts: [t('sqllab.table.notCollapsed', 'An error occurred while collapsing table metadata')],
      }
    case 'removeTable':
      return { kind: 'error', texts: [t('sqllab.table.notRemoved', 'An error occurred while removing table metadata')] }
  }
}

/** SQL-041. */
export const browserOnlyNote = (): string =>
  t('sqllab.note', '-- Tabs are kept in this browser only. Save your query to keep it.')

/** SQL-113. */
export const unknownError = (): string => t('sqllab.unknownError', 'Unknown error')

/** Messages for runs with a lost connection. */
export const connectionLostTexts = (): { cut: string; unsent: string; offline: string } => ({
  cut: t(
    'sqllab.cut.stopped',
    'The server stopped the query because your browser was no longer waiting for the result. Run it again. To keep queries running after the page is closed, turn on “Run queries in the background” in the settings of the database.',
  ),
  unsent: t('sqllab.cut.unsent', 'The query did not reach the server.'),
  offline: t(
    'sqllab.cut.offline',
    'The query was not sent. Your SQL is kept. Run the query again when you’re back online.',
  ),
})

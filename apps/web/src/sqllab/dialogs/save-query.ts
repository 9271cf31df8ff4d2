import { toast, toastError } from '@parquetry/ui'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { t } from '../../shared/intl.ts'
import { queryClient } from '../../shared/query-client.ts'
import { saveSchedule } from '../../shared/query-schedule/save-schedule.ts'
import { withScheduleInfo, type ScheduleInfo } from '../../shared/query-schedule/schedule.ts'
import type { Lab } from '../lab.ts'
import type { QueryEditor } from '../state.ts'
import { changeTab } from '../tabs.ts'

/** SQL-046 to SQL-049: converts a tab to the request body of a saved query. */
const savedQueryBody = ({
  dbId,
  name,
  sql,
  schema,
  catalog,
  description,
  templateParams,
}: Pick<QueryEditor, 'dbId' | 'name' | 'sql' | 'schema' | 'catalog' | 'description' | 'templateParams'>): Record<
  string,
  unknown
> => ({
  db_id: dbId,
  label: name,
  sql,
  schema,
  catalog,
  description,
  template_parameters: templateParams,
})

/** Updates the tab after saving (SQL-069). */
const markTabSaved = (lab: Lab, tab: QueryEditor, remoteId: number): void => {
  const { name, sql, description } = tab
  lab.store.setState((state) => changeTab(state, tab.id, { remoteId, name, description, savedSql: sql }))
  void queryClient.invalidateQueries({ queryKey: ['saved_query'] })
}

/** SQL-082, SQL-084, SQL-114: saves a new query. @throws the server's error */
export async function createQuery(lab: Lab, tab: QueryEditor, tags: readonly string[]): Promise<void> {
  try {
    const { id } = await api.post('/api/v1/saved_query/', { body: savedQueryBody(tab) })
    if (tags.length > 0)
      await api
        .post('/api/v1/tag/:type/:id/', { params: { type: 'query', id }, body: { properties: { tags: [...tags] } } })
        .catch((error: unknown) =>
          toastError(`${t('sqllab.notTagged', 'Could not save the tags')}: ${messageOf(error)}`),
        )
    markTabSaved(lab, tab, id)
    toast(t('sqllab.saved', 'Your query was saved'))
  } catch (error) {
    toastError(
      `${t('sqllab.notSaved', 'Your query could not be saved')}: ${t('sqllab.notProperly', 'Your query {name} was not properly saved', { name: tab.name })}. ${messageOf(error)}`,
    )
    throw error
  }
}

/** SQL-083, SQL-115: overwrites the saved query of the tab. */
export async function updateQuery(lab: Lab, tabId: string): Promise<void> {
  const tab = lab.store.getState().queryEditors.find(({ id }) => id === tabId)
  if (!tab || tab.remoteId === null) return
  try {
    await api.put('/api/v1/saved_query/:id', { params: { id: tab.remoteId }, body: savedQueryBody(tab) })
    markTabSaved(lab, tab, tab.remoteId)
    toast(t('sqllab.updated', 'Your query was updated'))
  } catch (error) {
    toastError(`${t('sqllab.notUpdated', 'Your query could not be updated')}: ${messageOf(error)}`)
  }
}

/** SQL-011: saves the query of the tab with a schedule. A query that is saved already is changed, not saved again. @throws ApiError */
export async function scheduleQuery(lab: Lab, tab: QueryEditor, info: ScheduleInfo): Promise<void> {
  let id = tab.remoteId
  if (id === null) {
    const body = { ...savedQueryBody(tab), extra_json: withScheduleInfo(null, info) }
    id = (await api.post('/api/v1/saved_query/', { body })).id
  } else await saveSchedule(id, info, savedQueryBody(tab))
  markTabSaved(lab, tab, id)
}
